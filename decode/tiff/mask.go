package tiff

import (
	"encoding/binary"

	"tileserver/raster"
)

// A mask says which pixels of a level are data. It has one sample per pixel, or one per band. It
// has the size of its level, or a larger size if the level inherits the mask of a finer one.

// maxMaskScale is the maximum number of mask pixels, in a row, under one pixel of a level that
// inherits a finer mask. Beyond it, reading the mask costs more than the overview saves.
const maxMaskScale = 8

// levelPosition maps a column or row of a mask to that of its level. If the mask is at least as
// large as the level, every pixel of the level has one of the mask.
func levelPosition(at, maskSide, levelSide int) int {
	return int((2*int64(at) + 1) * int64(levelSide) / (2 * int64(maskSide)))
}

// maskRect returns the pixels of a mask that may lie under those in r of its level.
func maskRect(mask, level *directory, r raster.Rect) raster.Rect {
	if mask.width == level.width && mask.height == level.height {
		return r
	}
	low := func(at, mask, level int) int { return int(int64(at) * int64(mask) / int64(level)) }
	high := func(at, mask, level int) int { return int((int64(at)*int64(mask) + int64(level) - 1) / int64(level)) }
	return raster.Rect{
		X0: low(r.X0, mask.width, level.width), Y0: low(r.Y0, mask.height, level.height),
		X1: high(r.X1, mask.width, level.width), Y1: high(r.Y1, mask.height, level.height),
	}
}

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
	if pl.mask.width != pl.dir.width || pl.mask.height != pl.dir.height {
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
			markValid(to, from)
		}
	}
	return plane
}

// coverageFromFiner returns, for each pixel of a block, the share of valid pixels of a finer mask.
func (b *batch) coverageFromFiner(bp *blockPlan, pl *plan, band int) []uint8 {
	counts := newMaskCounts(bp.rect)
	area, grid := maskRect(pl.mask, pl.dir, bp.rect), pl.mask.ownLevel()
	columns := levelColumns(area, pl)
	for _, m := range bp.masks {
		rect, buffer := grid.Block(m.id), b.masks[m.id]
		shared := rect.Intersect(area)
		for y := shared.Y0; y < shared.Y1; y++ {
			row := levelPosition(y, pl.mask.height, pl.dir.height)
			from := buffer.Plane(band)[(y-rect.Y0)*buffer.Width()+shared.X0-rect.X0:][:shared.Width()]
			counts.add(row, columns[shared.X0-area.X0:][:shared.Width()], from)
		}
	}
	return counts.coverage()
}

// levelColumns returns the level's columns for the columns of an area of its mask.
func levelColumns(area raster.Rect, pl *plan) []int {
	columns := make([]int, area.Width())
	for i := range columns {
		columns[i] = levelPosition(area.X0+i, pl.mask.width, pl.dir.width)
	}
	return columns
}

// maskCounts counts, for each pixel of a block, the pixels of a finer mask under it.
type maskCounts struct {
	block      raster.Rect
	valid, all []uint16 // at most about maxMaskScale squared
}

func newMaskCounts(block raster.Rect) maskCounts {
	pixels := block.Width() * block.Height()
	return maskCounts{block, make([]uint16, pixels), make([]uint16, pixels)}
}

// add counts a row of the mask. The row may extend a pixel beyond the block.
func (c *maskCounts) add(row int, columns []int, mask []byte) {
	if row < c.block.Y0 || row >= c.block.Y1 {
		return
	}
	first := (row - c.block.Y0) * c.block.Width()
	for i, column := range columns {
		if column < c.block.X0 || column >= c.block.X1 {
			continue
		}
		at := first + column - c.block.X0
		c.all[at]++
		if mask[i] != 0 {
			c.valid[at]++
		}
	}
}

func (c *maskCounts) coverage() []uint8 {
	plane := make([]uint8, len(c.all))
	for i, n := range c.all {
		plane[i] = uint8(uint32(c.valid[i]) * raster.Valid / uint32(max(n, 1)))
	}
	return plane
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
	block := maskRect(mask, d, raster.Rect{X1: min(d.blockWidth, d.width), Y1: min(d.blockHeight, d.height)})
	columns := min(mask.columns(), (block.X1-1)/mask.blockWidth+2)
	rows := min(mask.rows(), (block.Y1-1)/mask.blockHeight+2)
	blocks := float64(columns) * float64(rows)
	n := mask.need()
	pixels := float64(mask.blockWidth) * float64(mask.blockHeight) * float64(min(mask.samples.Count, pictureBands))
	return blockNeed{blocks * n.stored, blocks * n.scratch, blocks * pixels}
}

// markValid sets the coverage of all nonzero mask pixels, eight at a time.
func markValid(coverage []uint8, mask []byte) {
	const low, high = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	for ; len(mask) >= 8; coverage, mask = coverage[8:], mask[8:] {
		v := binary.LittleEndian.Uint64(mask)
		notZero := (v&low + low | v) & high // the high bit of each byte
		binary.LittleEndian.PutUint64(coverage, notZero>>7*raster.Valid)
	}
	for x, v := range mask {
		if v != 0 {
			coverage[x] = raster.Valid
		}
	}
}
