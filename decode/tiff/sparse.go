package tiff

import (
	"context"
	"fmt"

	"tileserver/raster"
)

var _ raster.SparseProvider = (*Image)(nil)

// Empty tells from the index alone whether nothing of a rectangle is stored. It
// looks at whole pieces of the index where it can, and what it has found out of them
// is kept. It says no where it would have to read more than mostScannedPieces.
func (m *Image) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if err := m.info.CheckRequest(level, nil, nil); err != nil {
		return false, fmt.Errorf("image %d: %w", m.number+1, err)
	}
	p := m.levels[level]
	if p.unsupported != nil {
		return false, nil
	}
	var l lookup
	e := p.emptiness(&l, rect)
	if e == undecided {
		var err error
		if e, err = p.scan(ctx, rect); err != nil {
			return false, m.failed(level, err)
		}
	}
	return e == empty, nil
}

// emptiness is what is known of a part of an image.
type emptiness int

const (
	undecided emptiness = iota
	empty
	notEmpty
)

const (
	// mostScannedPieces is 16 MiB of the index, two million units.
	mostScannedPieces = 512

	// mostPiecesAtOnce is how many are missed before those are loaded.
	mostPiecesAtOnce = 64
)

// scan loads what is missing to tell whether a rectangle is empty: little at first,
// since where there is something it is often found at once.
func (p *page) scan(ctx context.Context, rect raster.Rect) (emptiness, error) {
	l := new(lookup)
	for left, atOnce := mostScannedPieces, 4; left > 0; left -= atOnce {
		if e := p.emptiness(l, rect); e != undecided {
			return e, nil
		}
		if err := l.load(ctx, atOnce); err != nil {
			return undecided, err
		}
		atOnce = min(2*atOnce, mostPiecesAtOnce)
	}
	return p.emptiness(l, rect), nil
}

// emptiness looks at the units under a rectangle of pixels, as far as the pieces at
// hand tell.
func (p *page) emptiness(l *lookup, rect raster.Rect) emptiness {
	rect = rect.Intersect(raster.Rect{X1: p.width, Y1: p.height})
	if rect.Empty() {
		return empty
	}
	col, endCol := rect.X0/p.unitWidth, (rect.X1-1)/p.unitWidth+1
	row, endRow := rect.Y0/p.unitHeight, (rect.Y1-1)/p.unitHeight+1
	columns, rows := int64(p.unitColumns()), int64(p.unitRows())
	if p.chopped() {
		col, endCol, row, endRow, columns, rows = 0, 1, 0, 1, 1, 1
	}
	all := empty
	for plane := range int64(p.planes()) {
		first := plane * rows * columns
		if int64(endCol-col) == columns { // one run, and not one a row
			if all = all.and(p.index.emptyRun(l, first+int64(row)*columns, first+int64(endRow)*columns)); all == notEmpty {
				return notEmpty
			}
			continue
		}
		for r := int64(row); r < int64(endRow); r++ {
			start := first + r*columns
			if all = all.and(p.index.emptyRun(l, start+int64(col), start+int64(endCol))); all == notEmpty {
				return notEmpty
			}
		}
	}
	return all
}

// and is what is known of two parts together.
func (e emptiness) and(other emptiness) emptiness {
	switch {
	case e == notEmpty || other == notEmpty:
		return notEmpty
	case e == undecided || other == undecided:
		return undecided
	}
	return empty
}

// emptyRun looks at units that follow each other. It does not miss more pieces than
// are loaded at once.
func (x *blockIndex) emptyRun(l *lookup, first, end int64) emptiness {
	c := &x.offsets
	size := int64(c.kind.size())
	if c.value != nil {
		return emptyIf(allZero(c.value[first*size : end*size]))
	}
	all := empty
	for first < end {
		number, within := c.place(first)
		where := c.piece(number)
		inPiece := where.Length / size
		here := min(end-first, inPiece-int64(within))
		if c.zeros.kind(number) == hasOthers && here == inPiece {
			return notEmpty
		}
		piece, known := l.piece(x, c, number)
		switch {
		case !known && len(l.missing) >= mostPiecesAtOnce:
			return undecided
		case !known:
			all = undecided
		case piece != nil && !allZero(piece[int64(within)*size:][:here*size]):
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
