package tiff

import (
	"encoding/binary"

	"tileserver/raster"
)

// A mask tells which pixels of a level are data. It has one sample a pixel, or one
// for each band, and is of the size of the level: or larger, if it is that of a
// finer one, which the level has to make do with.

// mostMaskPixels is how many pixels of a finer level's mask, in a row, one pixel of
// a level may be under. More of them cost more to read than they save.
const mostMaskPixels = 8

// onLevel is the column, or row, of a level under which one of its mask lies. No
// pixel of a level is without one of a mask that is as large or larger.
func onLevel(at, maskSide, levelSide int) int {
	return int((2*int64(at) + 1) * int64(levelSide) / (2 * int64(maskSide)))
}

// onMask is the pixels of a mask that may lie under those of its level.
func onMask(mask, level *page, r raster.Rect) raster.Rect {
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

// maskSamples are the samples of the mask that are about the bands of a plan.
func (pl *plan) maskSamples() []int {
	if pl.mask == nil || pl.mask.samples == 1 {
		return []int{0}
	}
	return pl.bands
}

// addMask makes room for a block of a mask, once. One that is not stored stays
// zero, which is invalid.
func (b *batch) addMask(m maskBlock, pl *plan) {
	if b.masks[m.id] != nil {
		return
	}
	if b.masks == nil {
		b.masks = make(map[raster.BlockID]*raster.Buffer)
	}
	rect := pl.mask.level(pl.mask).Block(m.id)
	target := raster.NewBuffer(raster.Uint8, rect.Width(), rect.Height(), len(pl.maskSamples()))
	b.masks[m.id] = target
	for _, p := range m.parts {
		if p.ok {
			b.add(p, target, rect)
		}
	}
}

// applyMask gives a block the coverage that its mask says.
func (b *batch) applyMask(buffer *raster.Buffer, w *wanted, pl *plan) {
	if len(pl.maskSamples()) == 1 {
		buffer.SetValidity(b.coverage(w, pl, 0))
		return
	}
	for band := range pl.bands {
		copy(buffer.OwnValidity(band), b.coverage(w, pl, band))
	}
}

// coverage is the mask of a block, put together of the blocks of the mask.
func (b *batch) coverage(w *wanted, pl *plan, band int) []uint8 {
	if pl.mask.width != pl.page.width || pl.mask.height != pl.page.height {
		return b.coverageOfFiner(w, pl, band)
	}
	width := w.rect.Width()
	plane := make([]uint8, width*w.rect.Height())
	grid := pl.mask.level(pl.mask)
	for _, m := range w.masks {
		rect, buffer := grid.Block(m.id), b.masks[m.id]
		shared := rect.Intersect(w.rect)
		for y := shared.Y0; y < shared.Y1; y++ {
			from := buffer.Plane(band)[(y-rect.Y0)*buffer.Width()+shared.X0-rect.X0:][:shared.Width()]
			to := plane[(y-w.rect.Y0)*width+shared.X0-w.rect.X0:][:shared.Width()]
			cover(to, from)
		}
	}
	return plane
}

// coverageOfFiner counts what a larger mask has under each pixel of a block.
func (b *batch) coverageOfFiner(w *wanted, pl *plan, band int) []uint8 {
	counts := newMaskCounts(w.rect)
	area, grid := onMask(pl.mask, pl.page, w.rect), pl.mask.level(pl.mask)
	columns := columnsOnLevel(area, pl)
	for _, m := range w.masks {
		rect, buffer := grid.Block(m.id), b.masks[m.id]
		shared := rect.Intersect(area)
		for y := shared.Y0; y < shared.Y1; y++ {
			row := onLevel(y, pl.mask.height, pl.page.height)
			from := buffer.Plane(band)[(y-rect.Y0)*buffer.Width()+shared.X0-rect.X0:][:shared.Width()]
			counts.add(row, columns[shared.X0-area.X0:][:shared.Width()], from)
		}
	}
	return counts.coverage()
}

// columnsOnLevel are the columns of the level under which those of a part of its
// mask lie.
func columnsOnLevel(area raster.Rect, pl *plan) []int {
	columns := make([]int, area.Width())
	for i := range columns {
		columns[i] = onLevel(area.X0+i, pl.mask.width, pl.page.width)
	}
	return columns
}

// maskCounts count, for each pixel of a block, what a larger mask has under it.
type maskCounts struct {
	block      raster.Rect
	valid, all []uint16 // at most about mostMaskPixels squared
}

func newMaskCounts(block raster.Rect) maskCounts {
	pixels := block.Width() * block.Height()
	return maskCounts{block, make([]uint16, pixels), make([]uint16, pixels)}
}

// add counts a row of the mask. The part of the mask that was read may reach a
// pixel further than the block.
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

// maskBytes is about what reading the mask of a block takes.
func (pl *plan) maskBytes(w *wanted) (n int64) {
	samples := int64(len(pl.maskSamples()))
	for _, m := range w.masks {
		for _, p := range m.parts {
			n += p.where.Length + p.scratchBytes()
		}
		n += int64(pl.mask.blockWidth) * int64(pl.mask.blockHeight) * samples
	}
	if pl.mask != nil && pl.mask.width != pl.page.width {
		n += 5 * int64(w.rect.Width()) * int64(w.rect.Height()) // two counts and the coverage
	}
	return n
}

// maskNeed is what the blocks of a mask take that cover one block of p.
func (p *page) maskNeed(mask *page) blockNeed {
	block := onMask(mask, p, raster.Rect{X1: min(p.blockWidth, p.width), Y1: min(p.blockHeight, p.height)})
	columns := min(mask.columns(), (block.X1-1)/mask.blockWidth+2)
	rows := min(mask.rows(), (block.Y1-1)/mask.blockHeight+2)
	blocks := float64(columns) * float64(rows)
	n := mask.need()
	pixels := float64(mask.blockWidth) * float64(mask.blockHeight) * float64(min(mask.samples, pictureBands))
	return blockNeed{blocks * n.stored, blocks * n.scratch, blocks * pixels}
}

// cover makes all that is not 0 valid, eight pixels at a time.
func cover(coverage []uint8, mask []byte) {
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
