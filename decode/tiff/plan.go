package tiff

import (
	"context"
	"fmt"
	"math"

	"tileserver/decode/blocks"
	"tileserver/decode/tiff/blockindex"
	"tileserver/raster"
	"tileserver/source"
)

// unit is what is stored and decoded as one, and where it lies in the file.
type unit struct {
	dir   *directory
	plane int
	col   int // in the grid of units, like row
	row   int
	where source.Range
	ok    bool  // it can be read; false for units that a sparse file does not store
	lost  error // why it cannot be read although the file should have it; or nil
	cut   error // says that the file ends within it, and where has what is there; or nil
}

// blockUnit is a unit and the samples of it that a block needs.
type blockUnit struct {
	unit
	firstBand int
	samples   []int
}

// blockPlan is a requested block and the units that hold its pixels.
type blockPlan struct {
	id    raster.BlockID
	rect  raster.Rect
	units []blockUnit
	masks []maskBlock
	empty bool // nothing of it is stored
}

// plan is a request for blocks, resolved to byte ranges of the file.
type plan struct {
	image  *Image
	info   *raster.Info
	dir    *directory
	mask   *directory // or nil
	bands  []int
	blocks []blockPlan
	padKey string // pad values of the bands, as in emptyKey
}

// plan finds where the units of the blocks are stored. It reads only chunks of the block index that
// are not cached.
func (m *Image) plan(ctx context.Context, level int, ids []raster.BlockID, bands []int) (*plan, error) {
	pl := &plan{image: m, info: &m.info, dir: m.levels[level], mask: m.masks[level], bands: bands, blocks: make([]blockPlan, len(ids))}
	each := pl.dir.unitsInBlock()
	if pl.dir.samples.Planar {
		each *= len(bands)
	}
	units := make([]blockUnit, each*len(ids))
	for i, id := range ids {
		pl.blocks[i] = blockPlan{id: id, rect: m.info.Levels[level].Block(id), units: units[:0:each]}
		units = units[each:]
	}
	l := new(blockindex.Lookup)
	for {
		if err := pl.locate(l); err != nil {
			return nil, err
		}
		if l.Missing() == 0 {
			return pl, nil
		}
		// The cache may evict a chunk between two passes, and the next pass then misses it. Chunks
		// that this lookup has loaded stay.
		if err := l.Load(ctx, l.Missing()); err != nil {
			return nil, err
		}
	}
}

// locate looks up all units. It goes on if chunks of the index are missing, so that one load
// gets all of them.
func (pl *plan) locate(l *blockindex.Lookup) error {
	for i := range pl.blocks {
		bp := &pl.blocks[i]
		if err := pl.locateUnits(l, bp); err != nil {
			return fmt.Errorf("block %d,%d: %w", bp.id.Col, bp.id.Row, err)
		}
		bp.masks = nil
		if pl.mask == nil || bp.empty {
			continue
		}
		var err error
		if bp.masks, err = pl.mask.covering(l, pl.maskFit().Under(bp.rect), pl.maskSamples()); err != nil {
			return fmt.Errorf("mask of block %d,%d: %w", bp.id.Col, bp.id.Row, err)
		}
	}
	return nil
}

// locateUnits finds the units of a block.
func (pl *plan) locateUnits(l *blockindex.Lookup, bp *blockPlan) (err error) {
	if bp.units, err = pl.dir.blockUnits(l, bp.units[:0], bp.id, pl.bands); err != nil {
		return err
	}
	bp.empty = l.Missing() == 0
	for i := range bp.units {
		bp.empty = bp.empty && !bp.units[i].ok && bp.units[i].lost == nil
	}
	return nil
}

// blockUnits appends the units of a block: those for all bands together, or those of each band if
// bands have planes of their own.
func (d *directory) blockUnits(l *blockindex.Lookup, units []blockUnit, id raster.BlockID, bands []int) (_ []blockUnit, err error) {
	if !d.samples.Planar {
		return d.planeUnits(l, units, id, 0, blockUnit{samples: bands})
	}
	for i, band := range bands {
		if units, err = d.planeUnits(l, units, id, band, blockUnit{firstBand: i, samples: firstSample}); err != nil {
			return units, fmt.Errorf("band %d: %w", band+1, err)
		}
	}
	return units, nil
}

// firstSample selects the only sample of a unit that holds one band.
var firstSample = []int{0}

// planeUnits appends the units of a block in one plane. They hold the samples of like.
func (d *directory) planeUnits(l *blockindex.Lookup, units []blockUnit, id raster.BlockID, plane int, like blockUnit) ([]blockUnit, error) {
	col, row, end := d.unitRange(id)
	for ; row < end; row++ {
		u, err := d.find(l, col, row, plane)
		if err != nil {
			return units, err
		}
		like.unit = u
		units = append(units, like)
	}
	return units, nil
}

// find looks up a unit in the index.
func (d *directory) find(l *blockindex.Lookup, col, row, plane int) (unit, error) {
	u := unit{dir: d, plane: plane, col: col, row: row}
	number := (int64(plane)*int64(d.unitRows())+int64(row))*int64(d.unitColumns()) + int64(col)
	if d.splitsStrip() {
		number = int64(plane)
	}
	var err error
	u.where, u.ok, err = d.stored.index.Find(l, number, d.stored.src.Size())
	if d.splitsStrip() && (u.ok || err != nil) {
		if d.isTooShort(u.where) {
			return u, shortStripError{u.where.Length, d.height, d.coding.Layout.RowBytes()}
		}
		u.where, err = u.rangeInStrip(u.where) // these rows may lie within the file although the strip does not
		u.ok = err == nil
	}
	if err != nil {
		return u.withoutEnd(err), nil
	}
	if u.ok && u.where.Length > d.stored.maxUnitBytes {
		err = fmt.Errorf("it is stored in %d bytes, %w of %d", u.where.Length, ErrLimit, d.stored.maxUnitBytes)
	}
	return u, err
}

// isTooShort reports whether nearly all rows of a strip are missing. Such a strip is an error:
// otherwise a small file could claim any height, and the reader would process all of its lost rows.
func (d *directory) isTooShort(strip source.Range) bool {
	const minShare = 1. / 16
	return float64(strip.Length) < minShare*float64(d.height)*float64(d.coding.Layout.RowBytes())
}

// shortStripError is the error of every row of a strip that is too short. Its text is composed where it
// is read: a file of a hundred bytes may have millions of such rows.
type shortStripError struct {
	bytes          int64
	rows, rowBytes int
}

func (e shortStripError) Error() string {
	return fmt.Sprintf("a strip of %d bytes for %d rows of %d: %v", e.bytes, e.rows, e.rowBytes, ErrCorrupt)
}

// Unwrap returns ErrCorrupt.
func (e shortStripError) Unwrap() error { return ErrCorrupt }

// rangeInStrip returns the part of a strip that holds the rows of u.
func (u unit) rangeInStrip(strip source.Range) (source.Range, error) {
	skip := int64(u.row) * int64(u.dir.unitHeight) * int64(u.dir.coding.Layout.RowBytes())
	if skip+u.rowBytes() > strip.Length {
		rest := source.Range{Offset: strip.Offset + skip, Length: max(strip.Length-skip, 0)}
		return rest, fmt.Errorf("a strip of %d bytes ends before it: %w", strip.Length, ErrCorrupt)
	}
	return source.Range{Offset: strip.Offset + skip, Length: u.rowBytes()}, nil
}

// batches splits a plan into batches of about maxBytes. It never splits a block.
func (pl *plan) batches(maxBytes int64) [][]blockPlan {
	var all [][]blockPlan
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

// bytes returns roughly the memory for decoding a block: what is stored, what comes out, and the
// codec's scratch memory.
func (pl *plan) bytes(bp *blockPlan) int64 {
	n := raster.BufferBytes(pl.dir.samples.Type, bp.rect.Width(), bp.rect.Height(), len(pl.bands))
	if bp.empty && n <= maxEmptyBytes {
		return 0 // the shared empty tile
	}
	for _, u := range bp.units {
		n += u.where.Length + u.scratchBytes()
	}
	return n + pl.maskBytes(bp)
}

// rowBytes returns the decompressed size of a unit.
func (u unit) rowBytes() int64 {
	return int64(u.dir.storedRows(u.row)) * int64(u.dir.coding.Layout.RowBytes())
}

// scratchBytes returns the codec's scratch memory for a unit.
func (u unit) scratchBytes() int64 {
	if !u.ok {
		return 0
	}
	return blocks.ScratchBytes(u.dir.coding.Codec, u.dir.coding.LayoutOf(u.plane), u.dir.storedRows(u.row), u.where.Length)
}

// padValue returns the sample for pixels of a band that are not stored.
func (pl *plan) padValue(i int) float64 {
	if band := pl.info.Bands[pl.bands[i]]; band.HasNoData {
		return band.NoData
	}
	return 0
}

// emptyKey returns what identifies the tile of a block of which nothing is stored.
func (pl *plan) emptyKey(bp *blockPlan) emptyKey {
	if pl.padKey == "" {
		pads := make([]byte, 0, 8*len(pl.bands))
		for i := range pl.bands {
			pads = fmt.Appendf(pads, "%x,", math.Float64bits(pl.padValue(i)))
		}
		pl.padKey = string(pads)
	}
	return emptyKey{pl.dir.samples.Type, bp.rect.Width(), bp.rect.Height(), pl.padKey}
}
