package jp2k

import (
	"math"

	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// patch is a rectangle of a level whose pixels are read together, and where they go.
type patch struct {
	pixels  wavelet.Rect
	outputs []*output // with all requested bands; they may exceed the pixels
}

// minPatchSide is the minimum side of a patch after halving. Smaller patches would consist of
// margins only.
const minPatchSide = 4

// splitPatches splits a list of patches, or the only patch. It returns no second half if the only
// patch is small.
func splitPatches(all []patch) (first, second []patch) {
	if len(all) > 1 {
		return all[:len(all)/2], all[len(all)/2:]
	}
	one, other := all[0], all[0]
	switch p := one.pixels; {
	case max(p.Width(), p.Height()) < 2*minPatchSide:
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

// indirectPatch is a patch with indirect bands.
type indirectPatch struct {
	patch
	indirect []indirectBand
}

// indirectBand is a band whose samples differ from the component's: the component is coarser, or
// its samples are looked up in a palette or scaled to another type.
type indirectBand struct {
	band     int // index in the outputs
	sampling sampling
	samples  *output // samples of the component
	value    func(int64) int64
}

// addPatch adds to a request what a patch needs.
func (m *Image) addPatch(r *request, level int, p patch, bands []int) {
	d := &indirectPatch{patch: p}
	r.outputs = append(r.outputs, p.outputs...)
	r.bytes += raster.BufferBytes(m.info.Type, p.pixels.Width(), p.pixels.Height(), len(bands))
	first := len(r.componentRequests)
	for i, band := range bands {
		channel := m.bands.channels[band]
		v := m.grid.sampling(channel.Component, level)
		d.addBand(r, r.componentRequest(first, v, p.pixels), i, v, m.value(channel))
	}
	if len(d.indirect) > 0 {
		r.unfinished = append(r.unfinished, d)
	}
}

// addBand adds what a band needs to the request for its component.
func (p *indirectPatch) addBand(r *request, w *componentRequest, band int, v sampling, value func(int64) int64) {
	if v.direct() && value == nil {
		for _, o := range p.outputs {
			w.targets = append(w.targets, target{o, band})
		}
		return
	}
	for _, other := range p.indirect {
		if other.sampling.component == v.component {
			p.indirect = append(p.indirect, indirectBand{band, v, other.samples, value})
			return
		}
	}
	samples := &output{rect: w.rect, dataType: raster.Int64, bands: 1}
	r.outputs = append(r.outputs, samples)
	r.bytes += samples.bytes()
	w.targets = append(w.targets, target{samples, 0})
	p.indirect = append(p.indirect, indirectBand{band, v, samples, value})
}

// componentRequest returns the request for a component. It reuses one at or after index first, or
// adds one.
func (r *request) componentRequest(first int, v sampling, pixels wavelet.Rect) *componentRequest {
	for i := first; i < len(r.componentRequests); i++ {
		if r.componentRequests[i].component == v.component {
			return &r.componentRequests[i]
		}
	}
	r.componentRequests = append(r.componentRequests, componentRequest{component: v.component, reduction: v.reduction, rect: v.samples(pixels)})
	return &r.componentRequests[len(r.componentRequests)-1]
}

// value returns the conversion of a channel's samples, or nil if they stay unchanged.
func (m *Image) value(c boxes.Channel) func(int64) int64 {
	opacityScale := m.opacityScale(c)
	if c.Column == boxes.Direct {
		return opacityScale
	}
	palette := m.file.container.Palette
	last := int64(palette.Entries() - 1)
	return func(v int64) int64 {
		v = palette.At(int(min(max(v, 0), last)), c.Column)
		if opacityScale != nil {
			v = opacityScale(v)
		}
		return v
	}
}

// opacityScale returns the conversion of opacity to the range of the image's type, or nil if the
// ranges are equal.
func (m *Image) opacityScale(c boxes.Channel) func(int64) int64 {
	if c.Meaning != boxes.Opacity && c.Meaning != boxes.PremultipliedOpacity {
		return nil
	}
	if typeOf(c.Depth.Bits, c.Depth.Signed) == m.info.Type && c.Depth.Bits == 8*m.info.Type.Size() && !c.Depth.Signed {
		return nil
	}
	_, highest := m.info.Type.Limits()
	span, lowest := math.Ldexp(1, c.Depth.Bits)-1, 0.
	if c.Depth.Signed {
		lowest = -math.Ldexp(1, c.Depth.Bits-1)
	}
	return func(v int64) int64 { return int64(math.Round((float64(v) - lowest) / span * highest)) }
}

// indirectJob is the pool job that computes the indirect bands of patches. It computes them in
// sequence, since they may share an output.
type indirectJob []*indirectPatch

// Len returns 1 if there is work: one worker does all.
func (j indirectJob) Len() int { return min(len(j), 1) }

// Do computes the bands.
func (j indirectJob) Do(int) error {
	for _, d := range j {
		for i := range d.indirect {
			for _, o := range d.outputs {
				o.buffer.AddDamage(d.indirect[i].samples.buffer.Damage())
				d.indirect[i].draw(o, d.pixels.Intersect(o.rect))
			}
		}
	}
	return nil
}
