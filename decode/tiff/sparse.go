package tiff

import (
	"context"
	"fmt"

	"tileserver/decode/tiff/blockindex"
	"tileserver/raster"
)

var _ raster.SparseProvider = (*Image)(nil)

// Empty reports whether nothing of a rectangle is stored. It uses the index alone, checks whole
// chunks at a time where it can, and caches what it learns of them. It returns false if it would
// have to read more than maxScannedChunks.
func (m *Image) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if err := m.info.CheckRequest(level, nil, nil); err != nil {
		return false, fmt.Errorf("image %d: %w", m.number+1, err)
	}
	d := m.levels[level]
	if d.unsupported != nil {
		return false, nil
	}
	var l blockindex.Lookup
	e := d.emptiness(&l, rect)
	if e == blockindex.Undecided {
		var err error
		if e, err = d.scan(ctx, rect); err != nil {
			return false, m.wrapError(level, err)
		}
	}
	return e == blockindex.Empty, nil
}

// maxScannedChunks is 16 MiB of the index, two million units.
const maxScannedChunks = 512

// scan loads chunks until it knows whether a rectangle is empty. It begins with a few, since in an
// area with data the first ones often decide.
func (d *directory) scan(ctx context.Context, rect raster.Rect) (blockindex.Emptiness, error) {
	l := new(blockindex.Lookup)
	for left, atOnce := maxScannedChunks, 4; left > 0; left -= atOnce {
		if e := d.emptiness(l, rect); e != blockindex.Undecided {
			return e, nil
		}
		if err := l.Load(ctx, atOnce); err != nil {
			return blockindex.Undecided, err
		}
		atOnce = min(2*atOnce, blockindex.MaxChunksPerLoad)
	}
	return d.emptiness(l, rect), nil
}

// emptiness checks the units under a rectangle of pixels, as far as the chunks in l tell.
func (d *directory) emptiness(l *blockindex.Lookup, rect raster.Rect) blockindex.Emptiness {
	rect = rect.Intersect(raster.Rect{X1: d.width, Y1: d.height})
	if rect.Empty() {
		return blockindex.Empty
	}
	col, endCol := rect.X0/d.unitWidth, (rect.X1-1)/d.unitWidth+1
	row, endRow := rect.Y0/d.unitHeight, (rect.Y1-1)/d.unitHeight+1
	columns, rows := int64(d.unitColumns()), int64(d.unitRows())
	if d.splitsStrip() {
		col, endCol, row, endRow, columns, rows = 0, 1, 0, 1, 1, 1
	}
	all := blockindex.Empty
	for plane := range int64(d.samples.Planes()) {
		first := plane * rows * columns
		if int64(endCol-col) == columns { // one run for all rows
			if all = all.And(d.stored.index.Emptiness(l, first+int64(row)*columns, first+int64(endRow)*columns)); all == blockindex.NotEmpty {
				return blockindex.NotEmpty
			}
			continue
		}
		for r := int64(row); r < int64(endRow); r++ {
			start := first + r*columns
			if all = all.And(d.stored.index.Emptiness(l, start+int64(col), start+int64(endCol))); all == blockindex.NotEmpty {
				return blockindex.NotEmpty
			}
		}
	}
	return all
}
