package raster

import "slices"

// Level describes one resolution of a provider and its grid of blocks.
type Level struct {
	Width, Height           int
	BlockWidth, BlockHeight int

	// ScaleX and ScaleY are the size of a pixel of this level in pixels of level 0.
	ScaleX, ScaleY float64

	// OffsetX and OffsetY are the position of the upper left corner of this level's first pixel, in
	// pixels of level 0. They are 0 if pixels are means of pixels of level 0. They differ if a
	// level has every second sample of a finer one: such pixels are centered on the samples and
	// extend equally far to all sides.
	OffsetX, OffsetY float64

	// RunWidth is the number of pixels of a row that are compressed as one run, if more than a
	// block has. Reading a block then costs all blocks left of it in the run, once for each call. 0
	// means that each block is stored separately.
	RunWidth int
}

// BlockID identifies a block of a level by its position in the grid.
type BlockID struct{ Col, Row int }

// UniqueBlocks sorts ids row by row, in place, and removes duplicates.
func UniqueBlocks(ids []BlockID) []BlockID {
	slices.SortFunc(ids, func(a, b BlockID) int {
		if a.Row != b.Row {
			return a.Row - b.Row
		}
		return a.Col - b.Col
	})
	return slices.Compact(ids)
}

// Rect is a rectangle of pixels of a level. X1 and Y1 are exclusive.
type Rect struct{ X0, Y0, X1, Y1 int }

// Width returns the number of columns in r, or 0.
func (r Rect) Width() int { return max(r.X1-r.X0, 0) }

// Height returns the number of rows in r, or 0.
func (r Rect) Height() int { return max(r.Y1-r.Y0, 0) }

// Empty reports whether r contains no pixel.
func (r Rect) Empty() bool { return r.X1 <= r.X0 || r.Y1 <= r.Y0 }

// Intersect returns the intersection of r and o.
func (r Rect) Intersect(o Rect) Rect {
	return Rect{max(r.X0, o.X0), max(r.Y0, o.Y0), min(r.X1, o.X1), min(r.Y1, o.Y1)}
}

// Bounds returns the rectangle of all pixels of l.
func (l Level) Bounds() Rect { return Rect{0, 0, l.Width, l.Height} }

// Columns returns the number of columns of the grid.
func (l Level) Columns() int { return ceilDiv(l.Width, l.BlockWidth) }

// Rows returns the number of rows of the grid.
func (l Level) Rows() int { return ceilDiv(l.Height, l.BlockHeight) }

// Runs returns l with blocks as wide as a run, the unit that is cheapest to read in one call.
func (l Level) Runs() Level {
	l.BlockWidth = max(l.BlockWidth, l.RunWidth)
	return l
}

// Contains reports whether id is in the grid.
func (l Level) Contains(id BlockID) bool {
	return id.Col >= 0 && id.Row >= 0 && id.Col < l.Columns() && id.Row < l.Rows()
}

// Block returns the pixels of a block, cut off at the edge of the image.
func (l Level) Block(id BlockID) Rect {
	x, y := id.Col*l.BlockWidth, id.Row*l.BlockHeight
	return Rect{x, y, x + l.BlockWidth, y + l.BlockHeight}.Intersect(l.Bounds())
}

// WholeBlock returns the block that is exactly r. It returns false if there is none, or if the edge
// of the image cuts the block off.
func (l Level) WholeBlock(r Rect) (BlockID, bool) {
	id := BlockID{r.X0 / l.BlockWidth, r.Y0 / l.BlockHeight}
	isWhole := r.Width() == l.BlockWidth && r.Height() == l.BlockHeight
	return id, isWhole && l.Contains(id) && l.Block(id) == r
}

// Covering lists the blocks that touch r, row by row.
func (l Level) Covering(r Rect) []BlockID {
	r = r.Intersect(l.Bounds())
	if r.Empty() {
		return nil
	}
	first := BlockID{r.X0 / l.BlockWidth, r.Y0 / l.BlockHeight}
	last := BlockID{(r.X1 - 1) / l.BlockWidth, (r.Y1 - 1) / l.BlockHeight}
	ids := make([]BlockID, 0, (last.Col-first.Col+1)*(last.Row-first.Row+1))
	for row := first.Row; row <= last.Row; row++ {
		for col := first.Col; col <= last.Col; col++ {
			ids = append(ids, BlockID{col, row})
		}
	}
	return ids
}

// CountCovering returns the number of blocks that touch r.
func (l Level) CountCovering(r Rect) int64 {
	r = r.Intersect(l.Bounds())
	if r.Empty() {
		return 0
	}
	columns := (r.X1-1)/l.BlockWidth - r.X0/l.BlockWidth + 1
	rows := (r.Y1-1)/l.BlockHeight - r.Y0/l.BlockHeight + 1
	return int64(columns) * int64(rows)
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
