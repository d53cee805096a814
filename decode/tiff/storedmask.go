package tiff

import (
	"bytes"
	"context"
	"slices"

	"tileserver/decode"
	"tileserver/raster"
)

// A block is only handed on as it is stored where no mask hides any of it. Whether
// one does is looked up in the bits of the mask as they are packed, and kept: blocks
// near each other are asked for again, and are often under one block of the mask.

// isKnownHidden tells whether a block is known to be hidden in part, by a block of
// the mask that lies nowhere else. Those of the mask that are known to hide nothing
// need not be read, and are left out.
func (pl *plan) isKnownHidden(w *wanted) bool {
	if pl.mask == nil {
		return false
	}
	grid, area := pl.mask.level(pl.mask), onMask(pl.mask, pl.page, w.rect)
	for _, m := range w.masks {
		block := grid.Block(m.id)
		if pl.mask.hiding(m.id) == hidesSome && block.Intersect(area) == block {
			return true
		}
	}
	w.masks = slices.DeleteFunc(w.masks, func(m maskBlock) bool { return pl.mask.hiding(m.id) == hidesNothing })
	return false
}

// hiding is what is known of a block of a mask.
func (p *page) hiding(id raster.BlockID) hiding { return p.hidings.of(p.blockNumber(id)) }

// blockNumber is the place of a block in reading order.
func (p *page) blockNumber(id raster.BlockID) int64 {
	return int64(id.Row)*int64(p.columns()) + int64(id.Col)
}

// addMasksToLookAt makes the jobs of masks that no coverage is to be made of.
func (b *batch) addMasksToLookAt(pl *plan) {
	if pl.mask.packsMask() {
		b.addPackedMasks(pl)
	} else {
		b.addMasks(pl)
	}
}

// isHidden tells whether the mask of a block, which has been fetched, hides any of it,
// and notes what it finds of whole blocks of the mask.
func (b *batch) isHidden(ctx context.Context, pool *decode.Pool, w *wanted, pl *plan) (bool, error) {
	if b.areStoredAsWhole(w, pl) {
		for _, m := range w.masks {
			pl.mask.noteHiding(m.id, hidesNothing)
		}
		return false, nil
	}
	if err := b.decodeMasks(ctx, pool, pl); err != nil || len(b.lost) > 0 {
		return true, err // what lies under a lost block of a mask is hidden
	}
	for i, m := range w.masks {
		block := pl.mask.level(pl.mask).Block(m.id)
		if b.hidesNothing(m.id, block, pl) {
			pl.mask.noteHiding(m.id, hidesNothing)
			b.noteWhole(i, w, pl)
			continue
		}
		pl.mask.noteHiding(m.id, hidesSome)
		area := block.Intersect(onMask(pl.mask, pl.page, w.rect))
		if area == block || !b.hidesNothing(m.id, area, pl) {
			return true, nil
		}
	}
	return false, nil
}

// noteHiding keeps what has been found out of a block of a mask.
func (p *page) noteHiding(id raster.BlockID, found hiding) {
	p.hidings.note(p.blockNumber(id), int64(p.columns())*int64(p.rows()), found)
}

// areStoredAsWhole tells whether the blocks of a mask are stored in the very bytes of
// one that hides nothing, as nearly all of those are. They need not be decoded then.
func (b *batch) areStoredAsWhole(w *wanted, pl *plan) bool {
	whole := pl.mask.hidings.wholeUnit.Load()
	jobs, ok := b.maskUnits(w)
	if whole == nil || !ok {
		return false
	}
	for i := range jobs {
		if jobs[i].Rows != pl.mask.unitHeight || !bytes.Equal(jobs[i].Source, *whole) {
			return false
		}
	}
	return true
}

// mostWholeBytes is the longest unit of a mask that is kept to compare others with.
// One that is compressed and hides nothing is short.
const mostWholeBytes = 1 << 10

// noteWhole keeps how the i-th block of the mask is stored, which hides nothing, if
// that may be said of all that are stored so: it is a unit of its own, and all of it
// lies in the image.
func (b *batch) noteWhole(i int, w *wanted, pl *plan) {
	jobs, ok := b.maskUnits(w)
	block := pl.mask.level(pl.mask).Block(w.masks[i].id)
	if !ok || !pl.mask.isWhole(block) || jobs[i].Rows != pl.mask.unitHeight || len(jobs[i].Source) > mostWholeBytes {
		return
	}
	whole := bytes.Clone(jobs[i].Source)
	pl.mask.hidings.wholeUnit.Store(&whole)
}

// maskUnits are the jobs of the blocks of the mask, one each, if that is what they
// are.
func (b *batch) maskUnits(w *wanted) ([]decode.Job, bool) {
	for _, m := range w.masks {
		if len(m.parts) != 1 || !m.parts[0].ok {
			return nil, false
		}
	}
	return b.jobs[b.pixelJobs():], b.maskJobs == len(w.masks)
}

// hidesNothing tells whether all that a block of the mask has of an area is valid.
func (b *batch) hidesNothing(id raster.BlockID, area raster.Rect, pl *plan) bool {
	block, mask := pl.mask.level(pl.mask).Block(id), b.masks[id]
	within := raster.Rect{X0: area.X0 - block.X0, Y0: area.Y0 - block.Y0, X1: area.X1 - block.X0, Y1: area.Y1 - block.Y0}
	if pl.mask.packsMask() {
		return allSet(mask, within)
	}
	return noneZero(mask, within)
}
