package archive

import (
	"errors"
	"fmt"
	"math/bits"

	"tileserver/internal/hilbert"
)

// MaxZoom is the largest zoom of a position in the quad tree.
const MaxZoom = 30

// Position is the place of a tile: its zoom, and its column and row from the top left corner.
type Position struct {
	Zoom uint8
	X, Y uint32
}

// ErrNoPosition means that a position is not in the quad tree.
var ErrNoPosition = errors.New("archive: no such tile in a quad tree")

// String returns the position as zoom/column/row.
func (p Position) String() string { return fmt.Sprintf("%d/%d/%d", p.Zoom, p.X, p.Y) }

// Check returns an error for a position that is not in the quad tree, whose zoom z has 2^z columns and rows.
func (p Position) Check() error {
	if p.Zoom > MaxZoom || p.X>>p.Zoom != 0 || p.Y>>p.Zoom != 0 {
		return fmt.Errorf("%w: %v", ErrNoPosition, p)
	}
	return nil
}

// Number returns the number of a position that passes Check. It counts the tiles of the zooms one after the
// other, and those of a zoom along a Hilbert curve. So the tiles below one have numbers in a row at each
// zoom. PMTiles calls it the TileID.
func (p Position) Number() uint64 {
	return FirstNumber(p.Zoom) + hilbert.Number(int(p.Zoom), int(p.X), int(p.Y))
}

// FirstNumber returns the number of the first tile of a zoom, which is how many tiles the zooms above it have.
func FirstNumber(zoom uint8) uint64 { return (1<<(2*zoom) - 1) / 3 }

// MaxNumber is the largest number of a position.
const MaxNumber = (1<<(2*(MaxZoom+1))-1)/3 - 1

// PositionOf returns the position of a number, which is at most MaxNumber.
func PositionOf(number uint64) (Position, error) {
	if number > MaxNumber {
		return Position{}, fmt.Errorf("%w: number %d", ErrNoPosition, number)
	}
	zoom := ZoomOf(number)
	x, y := hilbert.Cell(int(zoom), number-FirstNumber(zoom))
	return Position{zoom, uint32(x), uint32(y)}, nil
}

// ZoomOf returns the zoom of the tile with a number.
func ZoomOf(number uint64) uint8 { return uint8(bits.Len64(3*number+1)-1) / 2 }
