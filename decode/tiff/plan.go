package tiff

import (
	"context"
	"fmt"
	"math"

	"tileserver/decode"
	"tileserver/raster"
	"tileserver/source"
)

// stored is a unit as it lies in the file.
type stored struct {
	page  *page
	plane int
	col   int // in the grid of units, as row
	row   int
	where source.Range
	ok    bool  // it can be read: a sparse file leaves units out
	lost  error // why it cannot be read, though the file should have it; or nil
}

// part is the samples of a wanted block that one unit holds.
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
	masks []maskBlock
	empty bool // nothing of it is stored
}

// plan is a request, worked out to the places in the file.
type plan struct {
	image  *Image
	info   *raster.Info
	page   *page
	mask   *page // or nil
	bands  []int
	blocks []wanted
	pads   string // of the bands, as emptyKey has them
}

// plan finds what is stored. It reads nothing but what is missing of the index.
func (m *Image) plan(ctx context.Context, level int, ids []raster.BlockID, bands []int) (*plan, error) {
	pl := &plan{image: m, info: &m.info, page: m.levels[level], mask: m.masks[level], bands: bands, blocks: make([]wanted, len(ids))}
	each := pl.page.unitsInBlock()
	if pl.page.planar {
		each *= len(bands)
	}
	parts := make([]part, each*len(ids))
	for i, id := range ids {
		pl.blocks[i] = wanted{id: id, rect: m.info.Levels[level].Block(id), parts: parts[:0:each]}
		parts = parts[each:]
	}
	l := new(lookup)
	for {
		if err := pl.locate(l); err != nil {
			return nil, err
		}
		if len(l.missing) == 0 {
			return pl, nil
		}
		// What was at hand the last time may have been dropped meanwhile, and is missing
		// the next time. What was missing is not missing again.
		if err := l.load(ctx, len(l.missing)); err != nil {
			return nil, err
		}
	}
}

// locate looks all units up. Where pieces of the index are missing, it goes on, so
// that all that are missing are known.
func (pl *plan) locate(l *lookup) error {
	for i := range pl.blocks {
		w := &pl.blocks[i]
		if err := pl.locateParts(l, w); err != nil {
			return fmt.Errorf("block %d,%d: %w", w.id.Col, w.id.Row, err)
		}
		w.masks = nil
		if pl.mask == nil || w.empty {
			continue
		}
		var err error
		if w.masks, err = pl.mask.covering(l, onMask(pl.mask, pl.page, w.rect), pl.maskSamples()); err != nil {
			return fmt.Errorf("mask of block %d,%d: %w", w.id.Col, w.id.Row, err)
		}
	}
	return nil
}

// locateParts finds the units of a block.
func (pl *plan) locateParts(l *lookup, w *wanted) (err error) {
	if w.parts, err = pl.page.partsOf(l, w.parts[:0], w.id, pl.bands); err != nil {
		return err
	}
	w.empty = len(l.missing) == 0
	for i := range w.parts {
		w.empty = w.empty && !w.parts[i].ok && w.parts[i].lost == nil
	}
	return nil
}

// partsOf appends the units of a block: each is one for all bands where they lie
// together, else one a band.
func (p *page) partsOf(l *lookup, parts []part, id raster.BlockID, bands []int) (_ []part, err error) {
	if !p.planar {
		return p.parts(l, parts, id, 0, part{samples: bands})
	}
	for i, band := range bands {
		if parts, err = p.parts(l, parts, id, band, part{firstBand: i, samples: firstSample}); err != nil {
			return parts, fmt.Errorf("band %d: %w", band+1, err)
		}
	}
	return parts, nil
}

// firstSample is the only one of a unit that holds one band.
var firstSample = []int{0}

// parts appends the units of a block of one plane, which hold the samples of like.
func (p *page) parts(l *lookup, parts []part, id raster.BlockID, plane int, like part) ([]part, error) {
	col, row, end := p.unitsOf(id)
	for ; row < end; row++ {
		s, err := p.find(l, col, row, plane)
		if err != nil {
			return parts, err
		}
		like.stored = s
		parts = append(parts, like)
	}
	return parts, nil
}

// find looks a unit up in the index.
func (p *page) find(l *lookup, col, row, plane int) (stored, error) {
	s := stored{page: p, plane: plane, col: col, row: row}
	unit := (int64(plane)*int64(p.unitRows())+int64(row))*int64(p.unitColumns()) + int64(col)
	if p.chopped() {
		unit = int64(plane)
	}
	var err error
	s.where, s.ok, _, err = p.index.find(l, unit, p.src.Size())
	if p.chopped() && (s.ok || err != nil) {
		if p.holdsTooLittle(s.where) {
			return s, fmt.Errorf("a strip of %d bytes for %d rows of %d: %w", s.where.Length, p.height, p.layout.RowBytes(), ErrCorrupt)
		}
		s.where, err = s.chop(s.where) // which may end within the file where the strip does not
		s.ok = err == nil
	}
	if err != nil {
		return s.lose(err), nil
	}
	if s.ok && s.where.Length > p.storedLimit {
		err = fmt.Errorf("it is stored in %d bytes, %w of %d", s.where.Length, ErrLimit, p.storedLimit)
	}
	return s, err
}

// holdsTooLittle reports whether nearly all of the rows of a strip are missing. Nothing else bounds what
// a small file may say of its height, and as lost rows all of it would be worked through.
func (p *page) holdsTooLittle(strip source.Range) bool {
	const least = 1. / 16
	return float64(strip.Length) < least*float64(p.height)*float64(p.layout.RowBytes())
}

// chop is the part of a strip that holds the rows of s.
func (s stored) chop(strip source.Range) (source.Range, error) {
	skip := int64(s.row) * int64(s.page.unitHeight) * int64(s.page.layout.RowBytes())
	if skip+s.rowBytes() > strip.Length {
		return source.Range{}, fmt.Errorf("a strip of %d bytes ends before it: %w", strip.Length, ErrCorrupt)
	}
	return source.Range{Offset: strip.Offset + skip, Length: s.rowBytes()}, nil
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
// and what the codec needs between them.
func (pl *plan) bytes(w *wanted) int64 {
	n := raster.BufferBytes(pl.page.dataType, w.rect.Width(), w.rect.Height(), len(pl.bands))
	if w.empty && n <= mostEmptyBytes {
		return 0 // one is there for all
	}
	for _, p := range w.parts {
		n += p.where.Length + p.scratchBytes()
	}
	return n + pl.maskBytes(w)
}

// rowBytes is the size of a unit once it is decompressed.
func (s stored) rowBytes() int64 {
	return int64(s.page.storedRows(s.row)) * int64(s.page.layout.RowBytes())
}

// scratchBytes is what decoding a unit takes beside itself and its pixels.
func (s stored) scratchBytes() int64 {
	if !s.ok {
		return 0
	}
	return decode.ScratchBytes(s.page.codec, s.page.layoutOf(s.plane), s.page.storedRows(s.row), s.where.Length)
}

// pad is the sample of pixels of a band of the plan that are not stored.
func (pl *plan) pad(i int) float64 {
	if band := pl.info.Bands[pl.bands[i]]; band.HasNoData {
		return band.NoData
	}
	return 0
}

// emptyKey is the looks of a block of which nothing is stored.
func (pl *plan) emptyKey(w *wanted) emptyKey {
	if pl.pads == "" {
		pads := make([]byte, 0, 8*len(pl.bands))
		for i := range pl.bands {
			pads = fmt.Appendf(pads, "%x,", math.Float64bits(pl.pad(i)))
		}
		pl.pads = string(pads)
	}
	return emptyKey{pl.page.dataType, w.rect.Width(), w.rect.Height(), pl.pads}
}
