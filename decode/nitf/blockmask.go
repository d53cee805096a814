package nitf

import (
	"context"
	"slices"

	"tileserver/decode/jp2k/pixels"
	"tileserver/decode/nitf/masks"
	"tileserver/raster"
)

// blockMask is what the mask of a codestream says of its blocks: which are left out, and which have
// pad pixels. Blocks that are left out are tiles of the codestream that are not stored, which would
// be damage without the mask.
type blockMask struct {
	grid                  grid
	tileWidth, tileHeight int // of the codestream
	header                masks.Header
	table                 *masks.Table
}

// span is the pixels of a row or column of a level that lie in one block, and in one tile of the
// codestream.
type span struct{ block, tile, begin, end int }

// spans divides a range of pixels of a level at the borders of blocks and tiles. A pixel of a level
// belongs to the block with the pixel of level 0 at its position. Blocks without a pixel have no span.
func spans(begin, end, level, blockSide, blocks, tileSide int) (all []span) {
	first := func(at int) int { return (at + 1<<level - 1) >> level } // pixel from a position of level 0 on
	for at := begin; at < end; {
		s := span{at << level / blockSide, at << level / tileSide, at, end}
		s.end = min(end, first((s.block+1)*blockSide), first((s.tile+1)*tileSide))
		s.block = min(s.block, blocks-1)
		all = append(all, s)
		at = s.end
	}
	return all
}

// share is the part of a window that lies in one block and one tile.
type share struct {
	rect  raster.Rect
	tile  [2]int // column and row
	entry masks.Entry
}

// maxShares is the maximum number of shares that are looked up at a time, unless a row has more.
const maxShares = 1 << 14

// visit calls a function for each share of a window, row by row, until it returns false.
func (b *blockMask) visit(ctx context.Context, level int, rect raster.Rect, do func(s share) bool) error {
	g := &b.grid
	columns := spans(rect.X0, rect.X1, level, g.storedWidth, g.columns, b.tileWidth)
	rows := spans(rect.Y0, rect.Y1, level, g.storedHeight, g.rows, b.tileHeight)
	for some := range slices.Chunk(rows, max(1, maxShares/len(columns))) {
		numbers := make([]int64, 0, len(some)*len(columns))
		for _, row := range some {
			for _, column := range columns {
				numbers = append(numbers, int64(row.block)*int64(g.columns)+int64(column.block))
			}
		}
		entries, err := b.table.Find(ctx, numbers)
		if err != nil {
			return err
		}
		for i, entry := range entries {
			row, column := some[i/len(columns)], columns[i%len(columns)]
			at := raster.Rect{X0: column.begin, Y0: row.begin, X1: column.end, Y1: row.end}
			if !do(share{at, [2]int{column.tile, row.tile}, entry}) {
				return nil
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// windowMask is what the mask says of a window.
type windowMask struct {
	rect raster.Rect

	// stored has the rectangle around what is stored, of each tile of the codestream that has some.
	stored []raster.Rect

	// leftOut and padded mark pixels in blocks that are left out, and in blocks with pad pixels. They
	// are nil if there are none.
	leftOut, padded []bool
}

// maskOf looks up a window.
func (b *blockMask) maskOf(ctx context.Context, level int, rect raster.Rect) (*windowMask, error) {
	w := &windowMask{rect: rect}
	tiles := make(map[[2]int]int) // indices in stored
	return w, b.visit(ctx, level, rect, func(s share) bool {
		if s.entry.State == masks.Absent {
			w.mark(&w.leftOut, s.rect)
			return true
		}
		if s.entry.HasPads {
			w.mark(&w.padded, s.rect)
		}
		if i, ok := tiles[s.tile]; ok {
			w.stored[i] = around(w.stored[i], s.rect)
		} else {
			tiles[s.tile] = len(w.stored)
			w.stored = append(w.stored, s.rect)
		}
		return true
	})
}

// around returns the rectangle around two others.
func around(a, b raster.Rect) raster.Rect {
	return raster.Rect{X0: min(a.X0, b.X0), Y0: min(a.Y0, b.Y0), X1: max(a.X1, b.X1), Y1: max(a.Y1, b.Y1)}
}

// mark marks the pixels of a rectangle in a plane, which it makes for the first one.
func (w *windowMask) mark(plane *[]bool, r raster.Rect) {
	width := w.rect.Width()
	if *plane == nil {
		*plane = make([]bool, width*w.rect.Height())
	}
	for y := r.Y0; y < r.Y1; y++ {
		row := (*plane)[(y-w.rect.Y0)*width+r.X0-w.rect.X0:][:r.Width()]
		for x := range row {
			row[x] = true
		}
	}
}

// window reads a window without the blocks that are left out, and marks the pad pixels.
func (b *blockMask) window(ctx context.Context, p *pixels.Provider, level int, rect raster.Rect, bands []int) (tile raster.Tile, err error) {
	info := p.Info()
	if err := info.CheckWindow(level, rect, bands); err != nil {
		return tile, err
	}
	w, err := b.maskOf(ctx, level, rect)
	if err != nil {
		return tile, err
	}
	switch {
	case w.leftOut == nil:
		tile, err = p.Window(ctx, level, rect, bands)
	case len(w.stored) == 0:
		tile = raster.NewBuffer(info.Type, rect.Width(), rect.Height(), bandCount(info, bands)).Freeze()
	default:
		tile, err = p.Parts(ctx, level, rect, w.stored, bands)
	}
	if err != nil || w.leftOut == nil && w.padded == nil {
		return tile, err
	}
	return w.apply(tile, info.Pad), nil
}

// bandCount returns how many bands a request asks for.
func bandCount(info *raster.Info, bands []int) int {
	if bands == nil {
		return len(info.Bands)
	}
	return len(bands)
}

// apply returns a tile with what is left out, and what has the pad value in blocks with pad pixels, as
// pad pixels.
func (w *windowMask) apply(tile raster.Tile, pad float64) raster.Tile {
	b := raster.NewBuffer(tile.Type(), tile.Width(), tile.Height(), tile.Bands())
	b.InheritDamage(tile)
	size := tile.Type().Size()
	for band := range tile.Bands() {
		b.Fill(band, pad)
		from, to, valid := tile.Plane(band), b.Plane(band), b.OwnValidity(band)
		if plane := tile.Validity(band); plane != nil {
			copy(valid, plane)
		}
		if w.leftOut == nil {
			copy(to, from)
		}
		for i, isLeftOut := range w.leftOut {
			if isLeftOut {
				valid[i] = raster.Invalid
				continue
			}
			copy(to[i*size:][:size], from[i*size:])
		}
		w.hidePads(valid, tile, band, pad)
	}
	return b.Freeze()
}

// hidePads marks the pad pixels of a band as invalid.
func (w *windowMask) hidePads(valid []uint8, tile raster.Tile, band int, pad float64) {
	if w.padded == nil {
		return
	}
	for i, coverage := range raster.MaskedValidity(tile, band, pad) {
		if w.padded[i] {
			valid[i] = min(valid[i], coverage)
		}
	}
}

// isEmpty reports whether no block under a rectangle of a level is stored. It is false if that would
// take long to find out.
func (b *blockMask) isEmpty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	const maxParts = 1 << 16
	columns, rows := rect.Width()<<level/b.grid.storedWidth+2, rect.Height()<<level/b.grid.storedHeight+2
	if !b.header.HasBlocks() || columns > maxParts || rows > maxParts || columns*rows > maxParts {
		return false, nil
	}
	isEmpty := true
	err := b.visit(ctx, level, rect, func(s share) bool {
		isEmpty = s.entry.State == masks.Absent
		return isEmpty
	})
	return isEmpty, err
}
