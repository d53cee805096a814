package jp2k

import (
	"cmp"
	"slices"

	"tileserver/decode/jp2k/codestream"
	"tileserver/raster"
)

// mostPatchSide is how large a patch is at most: so that several workers have something to
// do, and each has what it works on in the caches of its core.
const mostPatchSide = 512

// rectangles puts neighbours among blocks together, each block once: made together, they share
// the margins of the wavelet. There are runs in a row, and then equal runs of rows below each
// other, of so many columns and rows at most.
func rectangles(ids []raster.BlockID, columns, rows int) []raster.Rect {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b raster.BlockID) int { return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Col, b.Col)) })
	ids = slices.Compact(ids)
	var all []raster.Rect
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
			all = append(all, raster.Rect{X0: first, Y0: ids[0].Row, X1: end, Y1: ids[0].Row + 1})
		}
		ids = ids[n:]
	}
	return all
}

// patchesOf are the patches of blocks, whose outlets are added to those that are there.
func (m *Image) patchesOf(level int, ids []raster.BlockID, bands int, outlets map[raster.BlockID]*outlet) []patch {
	l := m.info.Levels[level]
	var patches []patch
	for _, r := range rectangles(ids, max(mostPatchSide/l.BlockWidth, 1), max(mostPatchSide/l.BlockHeight, 1)) {
		var p patch
		for row := r.Y0; row < r.Y1; row++ {
			for col := r.X0; col < r.X1; col++ {
				id := raster.BlockID{Col: col, Row: row}
				o := &outlet{rect: m.grid.pixels(level, l.Block(id)), dataType: m.info.Type, bands: bands}
				outlets[id] = o
				p.outlets = append(p.outlets, o)
			}
		}
		p.pixels = spanning(p.outlets[0].rect, p.outlets[len(p.outlets)-1].rect)
		patches = append(patches, p)
	}
	return patches
}

// spanning is from the upper left corner of one rectangle to the lower right one of another.
func spanning(first, last codestream.Rect) codestream.Rect {
	return codestream.Rect{X0: first.X0, Y0: first.Y0, X1: last.X1, Y1: last.Y1}
}

// patchesIn cuts an outlet into patches.
func patchesIn(o *outlet) []patch {
	var patches []patch
	for y := o.rect.Y0; y < o.rect.Y1; y += mostPatchSide {
		for x := o.rect.X0; x < o.rect.X1; x += mostPatchSide {
			pixels := codestream.Rect{X0: x, Y0: y, X1: x + mostPatchSide, Y1: y + mostPatchSide}
			patches = append(patches, patch{pixels.Intersect(o.rect), []*outlet{o}})
		}
	}
	return patches
}

// batches are patches in parts, each of which takes about as much memory as may be in flight.
func (m *Image) batches(patches []patch, bands int) (batches [][]patch) {
	most := m.file.config.BatchBytes
	taken := most
	for _, p := range patches {
		bytes := m.aboutBytes(p, bands)
		if taken+bytes > most {
			batches, taken = append(batches, nil), 0
		}
		taken += bytes
		last := len(batches) - 1
		batches[last] = append(batches[last], p)
	}
	return batches
}

// aboutBytes is about what a patch takes: what is stored, the coefficients of its bands and of
// some around them, and the samples.
func (m *Image) aboutBytes(p patch, bands int) int64 {
	const storedAndCoefficients = 8
	return int64(area(p.pixels)) * int64(bands) * int64(storedAndCoefficients+m.info.Type.Size())
}

// pixels is where a rectangle of pixels of a level lies among all that the level's grid
// could have.
func (g *pixelGrid) pixels(level int, r raster.Rect) codestream.Rect {
	first := g.levels[level]
	return codestream.Rect{X0: first.X0 + r.X0, Y0: first.Y0 + r.Y0, X1: first.X0 + r.X1, Y1: first.Y0 + r.Y1}
}
