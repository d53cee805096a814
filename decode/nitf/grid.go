package nitf

import (
	"fmt"

	"tileserver/decode/nitf/segments"
	"tileserver/raster"
)

// grid says how an image is divided: into stored blocks, and these into blocks.
type grid struct {
	width, height             int // of the image
	storedWidth, storedHeight int // of a stored block
	columns, rows             int // of stored blocks
	blockWidth, blockHeight   int
}

// newGrid returns the grid of an image. Its blocks are the stored ones.
func newGrid(h *segments.Image) (g grid, err error) {
	g = grid{
		width: h.Columns, height: h.Rows, columns: h.BlockColumns, rows: h.BlockRows,
		storedWidth: h.BlockWidth, storedHeight: h.BlockHeight,
	}
	if g.storedWidth == 0 && g.columns == 1 {
		g.storedWidth = g.width
	}
	if g.storedHeight == 0 && g.rows == 1 {
		g.storedHeight = g.height
	}
	if g.columns == 0 || g.rows == 0 || g.columns*g.storedWidth < g.width || g.rows*g.storedHeight < g.height {
		return g, fmt.Errorf("%dx%d blocks of %dx%d pixels in an image of %dx%d: %w",
			g.columns, g.rows, g.storedWidth, g.storedHeight, g.width, g.height, segments.ErrCorrupt)
	}
	g.blockWidth, g.blockHeight = g.storedWidth, g.storedHeight
	if g.columns == 1 {
		g.blockWidth = min(g.blockWidth, g.width)
	}
	if g.rows == 1 {
		g.blockHeight = min(g.blockHeight, g.height)
	}
	return g, nil
}

// divide makes blocks smaller than the stored ones, where samples can be read from anywhere.
// pixelBytes is the size of a pixel in all bands, readBytes what is read of it for one band.
// wholeRows says that a block must have all columns of a stored block.
func (g *grid) divide(pixelBytes, readBytes int, wholeRows bool) {
	const rowsBytes = 512 << 10
	if int64(g.blockWidth)*int64(g.blockHeight)*int64(pixelBytes) <= maxBlockBytes {
		return
	}
	if wholeRows {
		g.blockHeight = evenly(g.blockHeight, max(rowsBytes/(g.blockWidth*pixelBytes), 1), g.rows)
		return
	}
	side := sideOf(readBytes)
	g.blockWidth, g.blockHeight = evenly(g.blockWidth, side, g.columns), evenly(g.blockHeight, side, g.rows)
}

// maxBlockBytes is about the size of the largest block of samples that can be read from anywhere.
const maxBlockBytes = 2 << 20

// sideOf returns the side of blocks of which so many bytes a pixel are read.
func sideOf(readBytes int) int {
	const minSide = 8
	side := 512
	for side > minSide && side*side*readBytes > maxBlockBytes {
		side /= 2
	}
	return side
}

// divideStored divides the only stored block into blocks of fewer rows, which are found apart.
func (g *grid) divideStored(rows int) {
	g.storedHeight = rows
	g.rows = (g.height + rows - 1) / rows
	g.blockHeight = rows
}

// evenly returns the side of the blocks that a side is divided into: at most, and about, what is
// wanted. If there are several such sides in a row, blocks must divide them without a rest.
func evenly(side, wanted, count int) int {
	if side <= wanted {
		return side
	}
	if count == 1 {
		return wanted
	}
	for n := wanted; n > wanted/4; n-- {
		if side%n == 0 {
			return n
		}
	}
	return side
}

// count returns the number of stored blocks.
func (g *grid) count() int64 { return int64(g.columns) * int64(g.rows) }

// level returns the grid as the only level of an image.
func (g *grid) level() raster.Level {
	return raster.Level{Width: g.width, Height: g.height, BlockWidth: g.blockWidth, BlockHeight: g.blockHeight, ScaleX: 1, ScaleY: 1}
}

// storedBlock returns the number of the stored block that holds a rectangle, and where the
// rectangle lies in it.
func (g *grid) storedBlock(r raster.Rect) (number int64, within raster.Rect) {
	column, row := r.X0/g.storedWidth, r.Y0/g.storedHeight
	x, y := column*g.storedWidth, row*g.storedHeight
	return int64(row)*int64(g.columns) + int64(column), raster.Rect{X0: r.X0 - x, Y0: r.Y0 - y, X1: r.X1 - x, Y1: r.Y1 - y}
}
