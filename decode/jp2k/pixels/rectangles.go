package pixels

import (
	"cmp"
	"slices"

	"tileserver/decode/jp2k/components"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// maxPatchSide is the maximum side of a patch. It keeps several workers busy, and the data of each
// in the cache of its core.
const maxPatchSide = 512

// rectangles groups neighboring blocks, each once, since blocks that are read together share the
// margins of the wavelet. It joins blocks in a row, then equal runs in consecutive rows, up to the
// given columns and rows.
func rectangles(ids []raster.BlockID, columns, rows int) []raster.Rect {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b raster.BlockID) int { return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Col, b.Col)) })
	ids = slices.Compact(ids)
	var all []raster.Rect
	open := make(map[[2]int]int) // the last rectangle in all with these columns
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

// patchesOf returns the patches of blocks, and adds their outputs to outputs.
func (p *Provider) patchesOf(level int, ids []raster.BlockID, bands int, outputs map[raster.BlockID]*components.Output) []patch {
	l := p.info.Levels[level]
	var patches []patch
	for _, r := range rectangles(ids, max(maxPatchSide/l.BlockWidth, 1), max(maxPatchSide/l.BlockHeight, 1)) {
		var one patch
		for row := r.Y0; row < r.Y1; row++ {
			for col := r.X0; col < r.X1; col++ {
				id := raster.BlockID{Col: col, Row: row}
				o := &components.Output{Rect: p.grid.pixels(level, l.Block(id)), Type: p.info.Type, Bands: bands}
				outputs[id] = o
				one.outputs = append(one.outputs, o)
			}
		}
		one.pixels = spanning(one.outputs[0].Rect, one.outputs[len(one.outputs)-1].Rect)
		patches = append(patches, one)
	}
	return patches
}

// spanning returns the rectangle from the upper left corner of first to the lower right corner of
// last.
func spanning(first, last wavelet.Rect) wavelet.Rect {
	return wavelet.Rect{X0: first.X0, Y0: first.Y0, X1: last.X1, Y1: last.Y1}
}

// patchesIn divides a part of an output into patches.
func patchesIn(o *components.Output, part wavelet.Rect) []patch {
	var patches []patch
	for y := part.Y0; y < part.Y1; y += maxPatchSide {
		for x := part.X0; x < part.X1; x += maxPatchSide {
			pixels := wavelet.Rect{X0: x, Y0: y, X1: x + maxPatchSide, Y1: y + maxPatchSide}
			patches = append(patches, patch{pixels.Intersect(part), []*components.Output{o}})
		}
	}
	return patches
}

// batches divides patches into batches, each of roughly the memory that may be used at a time.
func (p *Provider) batches(patches []patch, bands int) (batches [][]patch) {
	limit := p.stream.BatchBytes()
	taken := limit
	for _, one := range patches {
		bytes := p.estimateBytes(one, bands)
		if taken+bytes > limit {
			batches, taken = append(batches, nil), 0
		}
		taken += bytes
		last := len(batches) - 1
		batches[last] = append(batches[last], one)
	}
	return batches
}

// estimateBytes estimates the memory for a patch: its stored bytes, the coefficients of its bands
// and of some around, and its samples.
func (p *Provider) estimateBytes(one patch, bands int) int64 {
	const storedAndCoefficients = 8
	return int64(one.pixels.Width()*one.pixels.Height()) * int64(bands) * int64(storedAndCoefficients+p.info.Type.Size())
}

// pixels returns the position of a level's pixels in the level's unbounded grid.
func (g *pixelGrid) pixels(level int, r raster.Rect) wavelet.Rect {
	first := g.levels[level]
	return wavelet.Rect{X0: first.X0 + r.X0, Y0: first.Y0 + r.Y0, X1: first.X0 + r.X1, Y1: first.Y0 + r.Y1}
}
