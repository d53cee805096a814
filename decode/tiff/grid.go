package tiff

import (
	"fmt"
	"math"

	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
	"tileserver/raster"
)

// grid is the size of an image and of its blocks and units (see strips.go).
type grid struct {
	width, height int
	tiled         bool
	blockWidth    int
	blockHeight   int
	stripHeight   int // as stored, if not tiled
	unitWidth     int
	unitHeight    int
	halvings      int // of the sides: the resolution of the blocks (see resolutions.go)
	partWidth     int // of blocks that are parts of units, or 0 (see codestreams.go)
	partHeight    int
}

// newGrid reads the sizes of an image and of its tiles or strips. If it fails, it returns those that
// it could read.
func newGrid(raw *ifd.Directory, maxSide int) (g grid, err error) {
	if g.width, err = raw.Count(tag.ImageWidth, "ImageWidth", 0, maxSide); err != nil {
		return g, err
	}
	if g.height, err = raw.Count(tag.ImageLength, "ImageLength", 0, maxSide); err != nil {
		return g, err
	}
	if raw.Entry(tag.TileWidth) == nil && raw.Entry(tag.TileLength) == nil {
		g.blockWidth = g.width
		rows := min(raw.Uint(tag.RowsPerStrip, math.MaxUint32), uint64(g.height))
		if rows == 0 {
			return g, fmt.Errorf("RowsPerStrip is 0: %w", ErrCorrupt)
		}
		g.stripHeight, g.blockHeight = int(rows), int(rows)
		return g, nil
	}
	g.tiled = true
	if g.blockWidth, err = raw.Count(tag.TileWidth, "TileWidth", 0, maxSide); err != nil {
		return g, err
	}
	g.blockHeight, err = raw.Count(tag.TileLength, "TileLength", 0, maxSide)
	return g, err
}

// columns and rows return the size of the grid of blocks.
func (g *grid) columns() int { return (g.width + g.blockWidth - 1) / g.blockWidth }
func (g *grid) rows() int    { return (g.height + g.blockHeight - 1) / g.blockHeight }

// level returns the grid as a level of an image whose finest level is full.
func (g *grid) level(full *grid) raster.Level {
	l := raster.Level{
		Width: g.width, Height: g.height, BlockWidth: g.blockWidth, BlockHeight: g.blockHeight,
		ScaleX: float64(full.width) / float64(g.width), ScaleY: float64(full.height) / float64(g.height),
	}
	if g.isDivided() {
		l.BlockWidth, l.BlockHeight = g.partWidth, g.partHeight
	}
	if g.hasColumnBlocks() {
		l.RunWidth = g.unitWidth
	}
	if g.halvings > 0 {
		// The center of a pixel is that of the first of the pixels that it was made from.
		l.ScaleX, l.ScaleY = math.Ldexp(1, g.halvings), math.Ldexp(1, g.halvings)
		l.OffsetX, l.OffsetY = 0.5-l.ScaleX/2, 0.5-l.ScaleY/2
	}
	return l
}

// ownLevel returns the grid as the finest level of an image.
func (g *grid) ownLevel() raster.Level { return g.level(g) }

// blockNumber returns the number of a block in reading order.
func (g *grid) blockNumber(id raster.BlockID) int64 {
	return int64(id.Row)*int64(g.columns()) + int64(id.Col)
}

// isOneUnit reports whether a block is exactly one unit. A tile at an edge has stored pixels beyond
// the image, and a block of strips may have several units.
func (g *grid) isOneUnit(block raster.Rect) bool {
	row := block.Y0 / g.unitHeight
	return block.Width() == g.unitWidth && block.Height() == g.storedRows(row)
}
