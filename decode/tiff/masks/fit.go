// Package masks computes what masks hide: which pixels of a mask lie over each pixel of a level, and
// how many of them are valid. It also records which blocks of a mask hide nothing. Package
// decode/tiff calls it when it reads a block and its mask. The package owns no pixels, and must never
// know where masks are stored or how they are decoded.
//
// Words: a *mask* says which pixels of a level are *valid*, that is, data. It *hides* all others. A
// *packed* mask has eight pixels in a byte.
package masks

import "tileserver/raster"

// maxScale is the maximum number of mask pixels, in a row, under one pixel of a level that inherits a
// finer mask. Beyond it, reading the mask costs more than the overview saves.
const maxScale = 8

// Fit says how the pixels of a mask lie over those of its level. The mask has the size of the level,
// or a larger size if the level inherits the mask of a finer one.
type Fit struct{ Mask, Level Size }

// Size is the size of a mask or a level in pixels.
type Size struct{ Width, Height int }

// IsExact reports whether each pixel of the mask is one of the level.
func (f Fit) IsExact() bool { return f.Mask == f.Level }

// IsTooFine reports whether the mask has more than maxScale pixels under one of the level.
func (f Fit) IsTooFine() bool {
	return f.Mask.Width > maxScale*f.Level.Width || f.Mask.Height > maxScale*f.Level.Height
}

// Under returns the pixels of the mask that may lie under those in r of the level.
func (f Fit) Under(r raster.Rect) raster.Rect {
	if f.IsExact() {
		return r
	}
	low := func(at, mask, level int) int { return int(int64(at) * int64(mask) / int64(level)) }
	high := func(at, mask, level int) int { return int((int64(at)*int64(mask) + int64(level) - 1) / int64(level)) }
	return raster.Rect{
		X0: low(r.X0, f.Mask.Width, f.Level.Width), Y0: low(r.Y0, f.Mask.Height, f.Level.Height),
		X1: high(r.X1, f.Mask.Width, f.Level.Width), Y1: high(r.Y1, f.Mask.Height, f.Level.Height),
	}
}

// LevelColumns returns the level's columns for the columns of an area of the mask.
func (f Fit) LevelColumns(area raster.Rect) []int {
	columns := make([]int, area.Width())
	for i := range columns {
		columns[i] = levelPosition(area.X0+i, f.Mask.Width, f.Level.Width)
	}
	return columns
}

// LevelRow returns the level's row for a row of the mask.
func (f Fit) LevelRow(y int) int { return levelPosition(y, f.Mask.Height, f.Level.Height) }

// levelPosition maps a column or row of a mask to that of its level. If the mask is at least as
// large as the level, every pixel of the level has one of the mask.
func levelPosition(at, maskSide, levelSide int) int {
	return int((2*int64(at) + 1) * int64(levelSide) / (2 * int64(maskSide)))
}
