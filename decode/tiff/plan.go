package tiff

import (
	"context"
	"fmt"

	"tileserver/raster"
	"tileserver/source"
)

// stored is a block as it lies in the file.
type stored struct {
	page  *page
	col   int
	row   int
	where source.Range
	ok    bool // it is stored: a sparse file leaves blocks out
}

// part is the samples of a wanted block that one stored block holds.
type part struct {
	stored
	firstBand int
	samples   []int
}

// wanted is a block that was asked for and what it is made of.
type wanted struct {
	id    raster.BlockID
	rect  raster.Rect
	parts []part
	masks []stored
}

// plan is a request, worked out to the places in the file.
type plan struct {
	page   *page
	mask   *page // or nil
	bands  []int
	blocks []wanted
}

// plan finds the stored blocks. It reads nothing but the index of blocks, once.
func (m *Image) plan(ctx context.Context, level int, ids []raster.BlockID, bands []int) (*plan, error) {
	pl := &plan{page: m.levels[level], mask: m.masks[level], bands: bands, blocks: make([]wanted, len(ids))}
	index, err := pl.page.index.load(ctx, m.file.src)
	if err != nil {
		return nil, err
	}
	var maskIndex *blockIndex
	if pl.mask != nil {
		if maskIndex, err = pl.mask.index.load(ctx, m.file.src); err != nil {
			return nil, fmt.Errorf("mask: %w", err)
		}
	}
	for i, id := range ids {
		w := wanted{id: id, rect: m.info.Levels[level].Block(id)}
		if w.parts, err = pl.parts(index, id, m.file.src.Size()); err != nil {
			return nil, fmt.Errorf("block %d,%d: %w", id.Col, id.Row, err)
		}
		if pl.mask != nil {
			if w.masks, err = pl.mask.covering(maskIndex, w.rect, m.file.src.Size()); err != nil {
				return nil, fmt.Errorf("mask of block %d,%d: %w", id.Col, id.Row, err)
			}
		}
		pl.blocks[i] = w
	}
	return pl, nil
}

// parts are one for all bands where they lie together, else one a band.
func (pl *plan) parts(index *blockIndex, id raster.BlockID, size int64) ([]part, error) {
	if !pl.page.planar {
		s, err := pl.page.find(index, id, 0, size)
		return []part{{s, 0, pl.bands}}, err
	}
	parts := make([]part, len(pl.bands))
	for i, band := range pl.bands {
		s, err := pl.page.find(index, id, band, size)
		if err != nil {
			return nil, fmt.Errorf("band %d: %w", band+1, err)
		}
		parts[i] = part{s, i, []int{0}}
	}
	return parts, nil
}

// find looks a block up in the index.
func (p *page) find(index *blockIndex, id raster.BlockID, plane int, size int64) (stored, error) {
	number := (plane*p.rows()+id.Row)*p.columns() + id.Col
	if p.chopped() {
		number = plane
	}
	s := stored{page: p, col: id.Col, row: id.Row}
	var err error
	if s.where, s.ok, err = index.block(number, size); err != nil || !p.chopped() || !s.ok {
		return s, err
	}
	s.where, err = s.chop(s.where)
	return s, err
}

// chop is the part of a strip that holds the rows of s.
func (s stored) chop(strip source.Range) (source.Range, error) {
	skip := int64(s.row) * int64(s.page.blockHeight) * int64(s.page.layout.RowBytes())
	if skip+s.rowBytes() > strip.Length {
		return source.Range{}, fmt.Errorf("a strip of %d bytes ends before it: %w", strip.Length, ErrCorrupt)
	}
	return source.Range{Offset: strip.Offset + skip, Length: s.rowBytes()}, nil
}

// covering finds the blocks that touch a rectangle of pixels.
func (p *page) covering(index *blockIndex, rect raster.Rect, size int64) ([]stored, error) {
	ids := p.level(p).Covering(rect)
	blocks := make([]stored, len(ids))
	for i, id := range ids {
		var err error
		if blocks[i], err = p.find(index, id, 0, size); err != nil {
			return nil, err
		}
	}
	return blocks, nil
}

// batches cuts a plan where it takes more than maxBytes, but not within a block.
func (pl *plan) batches(maxBytes int64) [][]wanted {
	var all [][]wanted
	start, taken := 0, int64(0)
	for i := range pl.blocks {
		n := pl.bytes(&pl.blocks[i])
		if i > start && taken+n > maxBytes {
			all = append(all, pl.blocks[start:i])
			start, taken = i, 0
		}
		taken += n
	}
	if start < len(pl.blocks) {
		all = append(all, pl.blocks[start:])
	}
	return all
}

// bytes is about what decoding a block takes: what is stored, what comes out,
// and the decompressed rows between them.
func (pl *plan) bytes(w *wanted) int64 {
	n := raster.BufferBytes(pl.page.dataType, w.rect.Width(), w.rect.Height(), len(pl.bands))
	for _, p := range w.parts {
		n += p.where.Length + p.rowBytes()
	}
	for _, s := range w.masks {
		n += s.where.Length + s.rowBytes() + int64(s.page.blockWidth)*int64(s.page.blockHeight)
	}
	return n
}

// rowBytes is the size of a stored block once it is decompressed.
func (s stored) rowBytes() int64 {
	return int64(s.page.storedRows(s.row)) * int64(s.page.layout.RowBytes())
}
