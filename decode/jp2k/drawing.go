package jp2k

import (
	"math"

	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/codestream"
	"tileserver/raster"
)

// drawing is a rectangle of blocks that is made.
type drawing struct {
	image    *Image
	pixels   codestream.Rect
	bands    []int
	ids      []raster.BlockID
	blocks   []*outlet // of ids
	indirect []indirect
}

// indirect is a band whose samples are not those of a component as they are: it is coarser,
// or its samples are looked up in a table or spread over the range of another type.
type indirect struct {
	band    int // in the blocks
	view    view
	samples *outlet // of the component
	value   func(int64) int64
}

// draw adds to a request what a rectangle of blocks takes.
func (m *Image) draw(r *request, level int, rectangle blockRect, bands []int) *drawing {
	l := m.info.Levels[level]
	d := &drawing{image: m, bands: bands, ids: rectangle.ids()}
	for _, id := range d.ids {
		rect := m.grid.pixels(level, l.Block(id))
		d.blocks = append(d.blocks, &outlet{rect: rect, dataType: m.info.Type, bands: len(bands)})
	}
	d.pixels = spanning(d.blocks[0].rect, d.blocks[len(d.blocks)-1].rect)
	r.outlets = append(r.outlets, d.blocks...)
	first := len(r.wants)
	for i, band := range bands {
		channel := m.bands.channels[band]
		v := m.grid.view(channel.Component, level)
		d.drawBand(r, r.want(first, v, d.pixels), i, v, m.value(channel))
	}
	return d
}

// drawBand adds what a band takes to what is wanted of its component.
func (d *drawing) drawBand(r *request, w *want, band int, v view, value func(int64) int64) {
	if v.direct() && value == nil {
		for _, block := range d.blocks {
			w.targets = append(w.targets, target{block, band})
		}
		return
	}
	for _, other := range d.indirect {
		if other.view.component == v.component {
			d.indirect = append(d.indirect, indirect{band, v, other.samples, value})
			return
		}
	}
	samples := &outlet{rect: w.rect, dataType: raster.Int64, bands: 1}
	r.outlets = append(r.outlets, samples)
	w.targets = append(w.targets, target{samples, 0})
	d.indirect = append(d.indirect, indirect{band, v, samples, value})
}

// want is what is wanted of a component, which is added if it is not among those from the first
// on.
func (r *request) want(first int, v view, pixels codestream.Rect) *want {
	for i := first; i < len(r.wants); i++ {
		if r.wants[i].component == v.component {
			return &r.wants[i]
		}
	}
	r.wants = append(r.wants, want{component: v.component, reduction: v.reduction, rect: v.samples(pixels)})
	return &r.wants[len(r.wants)-1]
}

// spanning is from the upper left corner of one rectangle to the lower right one of another.
func spanning(first, last codestream.Rect) codestream.Rect {
	return codestream.Rect{X0: first.X0, Y0: first.Y0, X1: last.X1, Y1: last.Y1}
}

// value is what becomes of the samples of a channel's component, or nil if nothing.
func (m *Image) value(c boxes.Channel) func(int64) int64 {
	spread := m.spread(c)
	if c.Column == boxes.Direct {
		return spread
	}
	palette := m.file.container.Palette
	last := int64(palette.Entries() - 1)
	return func(v int64) int64 {
		v = palette.At(int(min(max(v, 0), last)), c.Column)
		if spread != nil {
			v = spread(v)
		}
		return v
	}
}

// spread makes opacity what it is among the samples of the image: the highest is all of it.
// It is nil where that is so already.
func (m *Image) spread(c boxes.Channel) func(int64) int64 {
	if c.Meaning != boxes.Opacity && c.Meaning != boxes.PremultipliedOpacity {
		return nil
	}
	if typeOf(c.Depth.Bits, c.Depth.Signed) == m.info.Type && c.Depth.Bits == 8*m.info.Type.Size() && !c.Depth.Signed {
		return nil
	}
	_, highest := m.info.Type.Limits()
	most, least := math.Ldexp(1, c.Depth.Bits)-1, 0.
	if c.Depth.Signed {
		least = -math.Ldexp(1, c.Depth.Bits-1)
	}
	return func(v int64) int64 { return int64(math.Round((float64(v) - least) / most * highest)) }
}

// finish makes the bands that are not there yet, and the blocks into tiles.
func (d *drawing) finish(made map[raster.BlockID]raster.Tile) {
	for i, block := range d.blocks {
		for j := range d.indirect {
			d.indirect[j].draw(block)
		}
		for j, band := range d.bands {
			b := &d.image.info.Bands[band]
			block.buffer.MaskValue(j, b.NoData, b.HasNoData)
		}
		made[d.ids[i]] = block.buffer.Freeze()
	}
}

// draw makes the band in one block.
func (n *indirect) draw(to *outlet) {
	switch to.dataType {
	case raster.Uint8:
		drawAs[uint8](n, to)
	case raster.Int8:
		drawAs[int8](n, to)
	case raster.Uint16:
		drawAs[uint16](n, to)
	case raster.Int16:
		drawAs[int16](n, to)
	case raster.Uint32:
		drawAs[uint32](n, to)
	case raster.Int32:
		drawAs[int32](n, to)
	case raster.Uint64:
		drawAs[uint64](n, to)
	case raster.Int64:
		drawAs[int64](n, to)
	}
}

func drawAs[T raster.Sample](n *indirect, to *outlet) {
	pixels := target{to, n.band}
	if n.view.all.Empty() {
		pixels.leaveOut(to.rect)
		return
	}
	samples := target{n.samples, 0}
	from, stored := raster.Writable[int64](n.samples.buffer, 0), n.samples.buffer.Validity(0)
	target := raster.Writable[T](to.buffer, n.band)
	for y := to.rect.Y0; y < to.rect.Y1; y++ {
		row := n.view.down.at(y, n.view.all.Y0, n.view.all.Y1)
		for x := to.rect.X0; x < to.rect.X1; x++ {
			at := samples.at(n.view.across.at(x, n.view.all.X0, n.view.all.X1), row)
			v := from[at]
			if n.value != nil {
				v = n.value(v)
			}
			target[pixels.at(x, y)] = T(v)
			if stored != nil && stored[at] == raster.Invalid {
				to.buffer.OwnValidity(n.band)[pixels.at(x, y)] = raster.Invalid
			}
		}
	}
}
