package export

import (
	"fmt"
	"image"
	"math/bits"

	"tileserver/internal/hilbert"
)

// A Grid is the levels whose tiles are made, the coarsest first.
type Grid []Level

// A Level is the tiles of one zoom.
type Level struct {
	Zoom   int
	Size   image.Point     // columns and rows of all its tiles
	Wanted image.Rectangle // columns and rows of the tiles to make
	Halves bool            // each tile of the level before it is four tiles of this one
}

// Tiles returns the number of tiles to make.
func (g Grid) Tiles() (count int64) {
	for i := range g {
		count += area(g[i].Wanted)
	}
	return count
}

func area(r image.Rectangle) int64 { return int64(r.Dx()) * int64(r.Dy()) }

// check returns an error if a level has more tiles than there are positions.
func (g Grid) check() error {
	for i, order := range g.orders() {
		if order > hilbert.MaxOrder {
			return fmt.Errorf("zoom %d has too many tiles: %d columns and %d rows", g[i].Zoom, g[i].Size.X, g[i].Size.Y)
		}
	}
	return nil
}

// orders returns the order of each level's curve. Levels that halve each other have orders that follow
// each other, so that the four parts of a tile follow each other as well.
func (g Grid) orders() []int {
	orders := make([]int, len(g))
	for first := 0; first < len(g); {
		last := first + 1
		for last < len(g) && g[last].Halves {
			last++
		}
		order := 0
		for i := first; i < last; i++ {
			order = max(order, orderOf(g[i].Size)-(i-first))
		}
		for i := first; i < last; i++ {
			orders[i] = order + i - first
		}
		first = last
	}
	return orders
}

// orderOf returns the lowest order whose curve visits so many columns and rows.
func orderOf(size image.Point) int { return bits.Len(uint(max(size.X, size.Y, 1) - 1)) }
