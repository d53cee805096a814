package jp2k

import (
	"cmp"
	"slices"

	"tileserver/decode/jp2k/codestream"
	"tileserver/raster"
)

// blockRect is a rectangle of blocks, in columns and rows: made together, they share the
// margins of the wavelet.
type blockRect struct{ raster.Rect }

// ids are the blocks, row by row.
func (r blockRect) ids() []raster.BlockID {
	ids := make([]raster.BlockID, 0, r.Width()*r.Height())
	for row := r.Y0; row < r.Y1; row++ {
		for col := r.X0; col < r.X1; col++ {
			ids = append(ids, raster.BlockID{Col: col, Row: row})
		}
	}
	return ids
}

// mostRectSide is how large a rectangle is at most: so that several workers have something to
// do, and each has what it works on in the caches of its core.
const mostRectSide = 512

// rectangles puts neighbours together, each block once: runs in a row, and then equal runs of
// rows below each other, of so many blocks at most.
func rectangles(ids []raster.BlockID, columns, rows int) []blockRect {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b raster.BlockID) int { return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Col, b.Col)) })
	ids = slices.Compact(ids)
	var all []blockRect
	open := make(map[[2]int]int) // the last one in all that has these columns
	for len(ids) > 0 {
		n := 1
		for n < len(ids) && n < columns && ids[n] == (raster.BlockID{Col: ids[0].Col + n, Row: ids[0].Row}) {
			n++
		}
		first, end := ids[0].Col, ids[0].Col+n
		above, ok := open[[2]int{first, end}]
		if ok && all[above].Y1 == ids[0].Row && all[above].Height() < rows {
			all[above].Y1++
		} else {
			open[[2]int{first, end}] = len(all)
			all = append(all, blockRect{raster.Rect{X0: first, Y0: ids[0].Row, X1: end, Y1: ids[0].Row + 1}})
		}
		ids = ids[n:]
	}
	return all
}

// halves parts rectangles, or the only one there is. There is no second half of one block.
func halves(all []blockRect) (first, second []blockRect) {
	if len(all) > 1 {
		return all[:len(all)/2], all[len(all)/2:]
	}
	left, right := all[0], all[0]
	switch {
	case left.Width() >= left.Height() && left.Width() > 1:
		left.X1 = (left.X0 + left.X1) / 2
		right.X0 = left.X1
	case left.Height() > 1:
		left.Y1 = (left.Y0 + left.Y1) / 2
		right.Y0 = left.Y1
	default:
		return all, nil
	}
	return []blockRect{left}, []blockRect{right}
}

// batches are rectangles of blocks in parts, each of which takes about as much memory as may
// be in flight.
func (m *Image) batches(level int, ids []raster.BlockID, bands []int) [][]blockRect {
	l := m.info.Levels[level]
	most := m.file.config.BatchBytes
	columns, rows := max(mostRectSide/l.BlockWidth, 1), max(mostRectSide/l.BlockHeight, 1)
	for columns*rows > 1 && m.aboutBytes(l, columns*rows, len(bands)) > most/2 {
		if columns >= rows {
			columns = (columns + 1) / 2
		} else {
			rows = (rows + 1) / 2
		}
	}
	var batches [][]blockRect
	taken := most
	for _, r := range rectangles(ids, columns, rows) {
		bytes := m.aboutBytes(l, r.Width()*r.Height(), len(bands))
		if taken+bytes > most {
			batches, taken = append(batches, nil), 0
		}
		taken += bytes
		last := len(batches) - 1
		batches[last] = append(batches[last], r)
	}
	return batches
}

// aboutBytes is about what so many blocks take: what is stored, the coefficients of their bands
// and of some around them, and the samples.
func (m *Image) aboutBytes(l raster.Level, blocks, bands int) int64 {
	const storedAndCoefficients = 8
	return int64(blocks) * int64(l.BlockWidth) * int64(l.BlockHeight) * int64(bands) * int64(storedAndCoefficients+m.info.Type.Size())
}

// pixels is where a rectangle of pixels of a level lies among all that the level's grid
// could have.
func (g *pixelGrid) pixels(level int, r raster.Rect) codestream.Rect {
	first := g.levels[level]
	return codestream.Rect{X0: first.X0 + r.X0, Y0: first.Y0 + r.Y0, X1: first.X0 + r.X1, Y1: first.Y0 + r.Y1}
}
