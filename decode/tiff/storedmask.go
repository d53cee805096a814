package tiff

import (
	"bytes"
	"context"
	"slices"

	"tileserver/decode/blocks"
	"tileserver/decode/tiff/masks"
	"tileserver/raster"
)

// A block is sent as stored only if no mask hides any of it. The mask is checked in its packed
// bits, and the result is cached: neighboring blocks are requested soon after, and often lie under
// the same block of the mask.

// isKnownMasked reports whether a block is known to be hidden in part: a block of the mask that
// lies entirely within it is known to hide some pixels. It also removes from bp the mask blocks
// that are known to hide nothing, since they need not be read.
func (pl *plan) isKnownMasked(bp *blockPlan) bool {
	if pl.mask == nil {
		return false
	}
	grid, area := pl.mask.ownLevel(), pl.maskFit().Under(bp.rect)
	for _, m := range bp.masks {
		block := grid.Block(m.id)
		if pl.mask.maskState(m.id) == masks.HidesSome && block.Intersect(area) == block {
			return true
		}
	}
	bp.masks = slices.DeleteFunc(bp.masks, func(m maskBlock) bool { return pl.mask.maskState(m.id) == masks.AllValid })
	return false
}

// maskState returns what is known of a block of a mask.
func (d *directory) maskState(id raster.BlockID) masks.State {
	return d.maskStates.Get(d.blockNumber(id))
}

// addMasksToCheck adds the jobs of masks that are only checked and not turned into coverage.
func (b *batch) addMasksToCheck(pl *plan) {
	if pl.mask.hasPackedMask() {
		b.addPackedMasks(pl)
	} else {
		b.addMasks(pl)
	}
}

// hasPackedMask reports whether the codec of a mask yields rows of bits, eight pixels a byte. That
// holds for codecs that compress bytes without knowing what they mean.
func (d *directory) hasPackedMask() bool {
	if d.samples.Bits != 1 || d.samples.Count != 1 || d.samples.Fields != nil || d.hasColumnBlocks() || d.coding.Predictor != uint64(blocks.NoPredictor) {
		return false
	}
	return d.coding.Compression.KeepsBytes()
}

// packedLayout returns the layout of a mask of bits as that of an image of bytes.
func (d *directory) packedLayout() *blocks.Layout {
	packed := d.coding.Layout
	packed.Width, packed.Bits = packed.RowBytes(), 8
	return &packed
}

// addPackedMasks adds the jobs of the masks of all blocks, after those of pixels. Their targets
// have eight pixels per byte.
func (b *batch) addPackedMasks(pl *plan) {
	pixelJobs, layout := len(b.jobs), pl.mask.packedLayout()
	b.masks = make(map[raster.BlockID]*raster.Buffer)
	for i := range b.blocks {
		for _, m := range b.blocks[i].masks {
			rect := pl.mask.ownLevel().Block(m.id)
			target := raster.NewBuffer(raster.Uint8, (rect.Width()+7)/8, rect.Height(), 1)
			b.masks[m.id] = target
			for _, u := range m.units {
				if u.ok {
					b.add(u, target, rect)
					b.jobs[len(b.jobs)-1].Layout = layout
				}
			}
		}
	}
	b.maskJobs = len(b.jobs) - pixelJobs
}

// masksAny reports whether the fetched mask of a block hides any of it. It records what it learns
// of whole blocks of the mask.
func (b *batch) masksAny(ctx context.Context, c *Config, bp *blockPlan, pl *plan) (bool, error) {
	if b.matchAllValidUnit(bp, pl) {
		for _, m := range bp.masks {
			pl.mask.recordMaskState(m.id, masks.AllValid)
		}
		return false, nil
	}
	if err := b.decodeMasks(ctx, c, pl); err != nil || len(b.lost) > 0 {
		return true, err // a lost block of a mask hides everything
	}
	for i, m := range bp.masks {
		block := pl.mask.ownLevel().Block(m.id)
		if b.isAllValid(m.id, block, pl) {
			pl.mask.recordMaskState(m.id, masks.AllValid)
			b.recordAllValidUnit(i, bp, pl)
			continue
		}
		pl.mask.recordMaskState(m.id, masks.HidesSome)
		area := block.Intersect(pl.maskFit().Under(bp.rect))
		if area == block || !b.isAllValid(m.id, area, pl) {
			return true, nil
		}
	}
	return false, nil
}

// recordMaskState stores what is known of a block of a mask.
func (d *directory) recordMaskState(id raster.BlockID, found masks.State) {
	d.maskStates.Record(d.blockNumber(id), int64(d.columns())*int64(d.rows()), found)
}

// matchAllValidUnit reports whether the mask blocks are stored in the same bytes as one that hides
// nothing. Nearly all blocks that hide nothing are, and need not be decoded.
func (b *batch) matchAllValidUnit(bp *blockPlan, pl *plan) bool {
	whole := pl.mask.maskStates.AllValidUnit.Load()
	jobs, ok := b.maskUnits(bp)
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

// maxAllValidBytes is the size of the longest unit that is cached for comparison. A compressed unit
// that hides nothing is short.
const maxAllValidBytes = 1 << 10

// recordAllValidUnit caches the stored bytes of the i-th mask block, which hides nothing. It does
// so only if every unit with the same bytes hides nothing: the block must be one full unit that
// lies inside the image.
func (b *batch) recordAllValidUnit(i int, bp *blockPlan, pl *plan) {
	jobs, ok := b.maskUnits(bp)
	block := pl.mask.ownLevel().Block(bp.masks[i].id)
	if !ok || !pl.mask.isOneUnit(block) || jobs[i].Rows != pl.mask.unitHeight || len(jobs[i].Source) > maxAllValidBytes {
		return
	}
	whole := bytes.Clone(jobs[i].Source)
	pl.mask.maskStates.AllValidUnit.Store(&whole)
}

// maskUnits returns the jobs of the mask blocks, if each block has exactly one.
func (b *batch) maskUnits(bp *blockPlan) ([]blocks.Job, bool) {
	for _, m := range bp.masks {
		if len(m.units) != 1 || !m.units[0].ok {
			return nil, false
		}
	}
	return b.jobs[b.pixelJobs():], b.maskJobs == len(bp.masks)
}

// isAllValid reports whether all pixels of a mask block within area are valid.
func (b *batch) isAllValid(id raster.BlockID, area raster.Rect, pl *plan) bool {
	block, mask := pl.mask.ownLevel().Block(id), b.masks[id]
	within := raster.Rect{X0: area.X0 - block.X0, Y0: area.Y0 - block.Y0, X1: area.X1 - block.X0, Y1: area.Y1 - block.Y0}
	if pl.mask.hasPackedMask() {
		return masks.AllSet(mask, within)
	}
	return masks.AllNonzero(mask, within)
}
