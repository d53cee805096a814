package tiff

import (
	"tileserver/decode/tiff/masks"
	"tileserver/raster"
)

// A mask says which pixels of a level are data. It has one sample per pixel, or one per band.

// fitOf returns how the pixels of a mask lie over those of its level.
func fitOf(mask, level *directory) masks.Fit {
	return masks.Fit{
		Mask:  masks.Size{Width: mask.width, Height: mask.height},
		Level: masks.Size{Width: level.width, Height: level.height},
	}
}

// maskFit returns how the mask of a plan lies over its level.
func (pl *plan) maskFit() masks.Fit { return fitOf(pl.mask, pl.dir) }

// maskSamples returns the samples of the mask for the bands of a plan.
func (pl *plan) maskSamples() []int {
	if pl.mask == nil || pl.mask.samples.Count == 1 {
		return []int{0}
	}
	return pl.bands
}

// addMask allocates a block of a mask, once, and adds its jobs. A block that is not stored stays
// zero, which means invalid.
func (b *batch) addMask(m maskBlock, pl *plan) {
	if b.masks[m.id] != nil {
		return
	}
	if b.masks == nil {
		b.masks = make(map[raster.BlockID]*raster.Buffer)
	}
	rect := pl.mask.ownLevel().Block(m.id)
	target := raster.NewBuffer(raster.Uint8, rect.Width(), rect.Height(), len(pl.maskSamples()))
	b.masks[m.id] = target
	for _, u := range m.units {
		if u.ok {
			b.add(u, target, rect)
		}
	}
}

// applyMask sets the coverage of a block from its mask.
func (b *batch) applyMask(buffer *raster.Buffer, bp *blockPlan, pl *plan) {
	if len(pl.maskSamples()) == 1 {
		buffer.SetValidity(b.coverage(bp, pl, 0))
		return
	}
	for band := range pl.bands {
		copy(buffer.OwnValidity(band), b.coverage(bp, pl, band))
	}
}

// coverage returns the mask of a block, assembled from the blocks of the mask.
func (b *batch) coverage(bp *blockPlan, pl *plan, band int) []uint8 {
	if !pl.maskFit().IsExact() {
		return b.coverageFromFiner(bp, pl, band)
	}
	width := bp.rect.Width()
	plane := make([]uint8, width*bp.rect.Height())
	grid := pl.mask.ownLevel()
	for _, m := range bp.masks {
		rect, buffer := grid.Block(m.id), b.masks[m.id]
		shared := rect.Intersect(bp.rect)
		for y := shared.Y0; y < shared.Y1; y++ {
			from := buffer.Plane(band)[(y-rect.Y0)*buffer.Width()+shared.X0-rect.X0:][:shared.Width()]
			to := plane[(y-bp.rect.Y0)*width+shared.X0-bp.rect.X0:][:shared.Width()]
			masks.MarkValid(to, from)
		}
	}
	return plane
}

// coverageFromFiner returns, for each pixel of a block, the share of valid pixels of a finer mask.
func (b *batch) coverageFromFiner(bp *blockPlan, pl *plan, band int) []uint8 {
	counts, fit, grid := masks.NewCounts(bp.rect), pl.maskFit(), pl.mask.ownLevel()
	area := fit.Under(bp.rect)
	columns := fit.LevelColumns(area)
	for _, m := range bp.masks {
		rect, buffer := grid.Block(m.id), b.masks[m.id]
		shared := rect.Intersect(area)
		for y := shared.Y0; y < shared.Y1; y++ {
			from := buffer.Plane(band)[(y-rect.Y0)*buffer.Width()+shared.X0-rect.X0:][:shared.Width()]
			counts.Add(fit.LevelRow(y), columns[shared.X0-area.X0:][:shared.Width()], from)
		}
	}
	return counts.Coverage()
}

// maskBytes returns roughly the memory for reading the mask of a block.
func (pl *plan) maskBytes(bp *blockPlan) (n int64) {
	samples := int64(len(pl.maskSamples()))
	for _, m := range bp.masks {
		for _, u := range m.units {
			n += u.where.Length + u.scratchBytes()
		}
		n += int64(pl.mask.blockWidth) * int64(pl.mask.blockHeight) * samples
	}
	if pl.mask != nil && pl.mask.width != pl.dir.width {
		n += 5 * int64(bp.rect.Width()) * int64(bp.rect.Height()) // two counts and the coverage
	}
	return n
}

// maskNeed returns what the mask blocks that cover one block of d need.
func (d *directory) maskNeed(mask *directory) blockNeed {
	block := fitOf(mask, d).Under(raster.Rect{X1: min(d.blockWidth, d.width), Y1: min(d.blockHeight, d.height)})
	columns := min(mask.columns(), (block.X1-1)/mask.blockWidth+2)
	rows := min(mask.rows(), (block.Y1-1)/mask.blockHeight+2)
	blocks := float64(columns) * float64(rows)
	n := mask.need()
	pixels := float64(mask.blockWidth) * float64(mask.blockHeight) * float64(min(mask.samples.Count, pictureBands))
	return blockNeed{blocks * n.stored, blocks * n.scratch, blocks * pixels}
}
