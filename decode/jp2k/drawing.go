package jp2k

import (
	"math"

	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/codestream"
	"tileserver/raster"
)

// patch is a rectangle of a level whose pixels are made together, and where they go.
type patch struct {
	pixels  codestream.Rect
	outlets []*outlet // of all bands that are asked for; they may reach beyond the pixels
}

// leastPatchSide is the smallest side that is halved: below it, margins are all there is, and tiles
// as small are no image.
const leastPatchSide = 4

// halves parts patches, or the only one there is. There is no second half of a small one.
func halves(all []patch) (first, second []patch) {
	if len(all) > 1 {
		return all[:len(all)/2], all[len(all)/2:]
	}
	one, other := all[0], all[0]
	switch p := one.pixels; {
	case max(p.Width(), p.Height()) < 2*leastPatchSide:
		return all, nil
	case p.Width() >= p.Height():
		one.pixels.X1 = (p.X0 + p.X1) / 2
		other.pixels.X0 = one.pixels.X1
	default:
		one.pixels.Y1 = (p.Y0 + p.Y1) / 2
		other.pixels.Y0 = one.pixels.Y1
	}
	return []patch{one}, []patch{other}
}

// drawing is a patch that is made.
type drawing struct {
	patch
	indirect []indirect
}

// indirect is a band whose samples are not those of a component as they are: it is coarser,
// or its samples are looked up in a table or spread over the range of another type.
type indirect struct {
	band    int // in the outlets
	view    view
	samples *outlet // of the component
	value   func(int64) int64
}

// draw adds to a request what a patch takes.
func (m *Image) draw(r *request, level int, p patch, bands []int) {
	d := &drawing{patch: p}
	r.outlets = append(r.outlets, p.outlets...)
	r.bytes += raster.BufferBytes(m.info.Type, p.pixels.Width(), p.pixels.Height(), len(bands))
	first := len(r.wants)
	for i, band := range bands {
		channel := m.bands.channels[band]
		v := m.grid.view(channel.Component, level)
		d.drawBand(r, r.want(first, v, p.pixels), i, v, m.value(channel))
	}
	if len(d.indirect) > 0 {
		r.unfinished = append(r.unfinished, d)
	}
}

// drawBand adds what a band takes to what is wanted of its component.
func (d *drawing) drawBand(r *request, w *want, band int, v view, value func(int64) int64) {
	if v.direct() && value == nil {
		for _, o := range d.outlets {
			w.targets = append(w.targets, target{o, band})
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
	r.bytes += samples.bytes()
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

// finishing makes the indirect bands of drawings. They are made one after the other, since they may
// share an outlet.
type finishing []*drawing

// Len is 1, as all are made by one worker.
func (f finishing) Len() int { return min(len(f), 1) }

// Do makes the bands.
func (f finishing) Do(int) error {
	for _, d := range f {
		for i := range d.indirect {
			for _, o := range d.outlets {
				o.buffer.Lose(d.indirect[i].samples.buffer.Damage())
				d.indirect[i].draw(o, d.pixels.Intersect(o.rect))
			}
		}
	}
	return nil
}
