package tiff

import (
	"context"
	"fmt"

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
	var l lookup
	e := d.emptiness(&l, rect)
	if e == undecided {
		var err error
		if e, err = d.scan(ctx, rect); err != nil {
			return false, m.wrapError(level, err)
		}
	}
	return e == empty, nil
}

// emptiness says what is known of an area of an image.
type emptiness int

const (
	undecided emptiness = iota
	empty
	notEmpty
)

const (
	// maxScannedChunks is 16 MiB of the index, two million units.
	maxScannedChunks = 512

	// maxChunksPerLoad bounds the missing chunks that are collected before they are loaded.
	maxChunksPerLoad = 64
)

// scan loads chunks until it knows whether a rectangle is empty. It begins with a few, since in an
// area with data the first ones often decide.
func (d *directory) scan(ctx context.Context, rect raster.Rect) (emptiness, error) {
	l := new(lookup)
	for left, atOnce := maxScannedChunks, 4; left > 0; left -= atOnce {
		if e := d.emptiness(l, rect); e != undecided {
			return e, nil
		}
		if err := l.load(ctx, atOnce); err != nil {
			return undecided, err
		}
		atOnce = min(2*atOnce, maxChunksPerLoad)
	}
	return d.emptiness(l, rect), nil
}

// emptiness checks the units under a rectangle of pixels, as far as the chunks in l tell.
func (d *directory) emptiness(l *lookup, rect raster.Rect) emptiness {
	rect = rect.Intersect(raster.Rect{X1: d.width, Y1: d.height})
	if rect.Empty() {
		return empty
	}
	col, endCol := rect.X0/d.unitWidth, (rect.X1-1)/d.unitWidth+1
	row, endRow := rect.Y0/d.unitHeight, (rect.Y1-1)/d.unitHeight+1
	columns, rows := int64(d.unitColumns()), int64(d.unitRows())
	if d.splitsStrip() {
		col, endCol, row, endRow, columns, rows = 0, 1, 0, 1, 1, 1
	}
	all := empty
	for plane := range int64(d.samples.planes()) {
		first := plane * rows * columns
		if int64(endCol-col) == columns { // one run for all rows
			if all = all.and(d.stored.index.emptyRun(l, first+int64(row)*columns, first+int64(endRow)*columns)); all == notEmpty {
				return notEmpty
			}
			continue
		}
		for r := int64(row); r < int64(endRow); r++ {
			start := first + r*columns
			if all = all.and(d.stored.index.emptyRun(l, start+int64(col), start+int64(endCol))); all == notEmpty {
				return notEmpty
			}
		}
	}
	return all
}

// and returns what is known of two areas together.
func (e emptiness) and(other emptiness) emptiness {
	switch {
	case e == notEmpty || other == notEmpty:
		return notEmpty
	case e == undecided || other == undecided:
		return undecided
	}
	return empty
}

// emptyRun checks consecutive units. It stops when maxChunksPerLoad chunks are missing.
func (x *blockIndex) emptyRun(l *lookup, first, end int64) emptiness {
	a := &x.offsets
	size := int64(a.kind.Size())
	if a.value != nil {
		return emptyIf(allZero(a.value[first*size : end*size]))
	}
	all := empty
	for first < end {
		number, within := a.chunkOf(first)
		where := a.chunkRange(number)
		perChunk := where.Length / size
		here := min(end-first, perChunk-int64(within))
		if a.zeros.kind(number) == hasValues && here == perChunk {
			return notEmpty
		}
		values, known := l.chunk(x, a, number)
		switch {
		case !known && len(l.missing) >= maxChunksPerLoad:
			return undecided
		case !known:
			all = undecided
		case values != nil && !allZero(values[int64(within)*size:][:here*size]):
			return notEmpty
		}
		first += here
	}
	return all
}

func emptyIf(zeros bool) emptiness {
	if zeros {
		return empty
	}
	return notEmpty
}
