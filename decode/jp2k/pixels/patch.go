package pixels

import (
	"tileserver/decode/jp2k/components"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// patch is a rectangle of a level whose pixels are read together, and where they go.
type patch struct {
	pixels  wavelet.Rect
	outputs []*components.Output // with all requested bands; they may exceed the pixels
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

// indirectPatch is a patch with what it needs of components, and its indirect bands.
type indirectPatch struct {
	patch
	requests []components.ComponentRequest // one for each component
	samples  []*components.Output          // of components, for the indirect bands
	indirect []indirectBand
}

// indirectBand is a band whose samples differ from the component's: the component is coarser, or
// its samples are converted, as by a palette.
type indirectBand struct {
	band     int // index in the outputs
	sampling sampling
	samples  *components.Output // samples of the component
	value    func(int64) int64
}

// request returns the request for patches.
func (p *Provider) request(level int, patches []patch, bands []int) *components.Request {
	r := p.stream.NewRequest()
	var unfinished indirectJob
	for _, patch := range patches {
		if d := p.addPatch(r, level, patch, bands); len(d.indirect) > 0 {
			unfinished = append(unfinished, d)
		}
	}
	r.Finish = unfinished
	return r
}

// addPatch adds to a request what a patch needs.
func (p *Provider) addPatch(r *components.Request, level int, patch patch, bands []int) *indirectPatch {
	d := &indirectPatch{patch: patch}
	r.AddOutputs(patch.outputs, raster.BufferBytes(p.info.Type, patch.pixels.Width(), patch.pixels.Height(), len(bands)))
	for i, band := range bands {
		d.addBand(i, p.grid.sampling(p.bands[band].Component, level), p.bands[band].Value)
	}
	for _, samples := range d.samples {
		r.AddOutputs([]*components.Output{samples}, samples.Bytes())
	}
	r.AddSamples(d.requests...)
	return d
}

// addBand adds what a band needs to the request for its component.
func (d *indirectPatch) addBand(band int, v sampling, value func(int64) int64) {
	w := d.request(v)
	if v.direct() && value == nil {
		for _, o := range d.outputs {
			w.Targets = append(w.Targets, components.Target{Output: o, Band: band})
		}
		return
	}
	for _, other := range d.indirect {
		if other.sampling.component == v.component {
			d.indirect = append(d.indirect, indirectBand{band, v, other.samples, value})
			return
		}
	}
	samples := &components.Output{Rect: w.Rect, Type: raster.Int64, Bands: 1}
	d.samples = append(d.samples, samples)
	w.Targets = append(w.Targets, components.Target{Output: samples})
	d.indirect = append(d.indirect, indirectBand{band, v, samples, value})
}

// request returns the request for the component of a sampling, which may be a new one.
func (d *indirectPatch) request(v sampling) *components.ComponentRequest {
	for i := range d.requests {
		if d.requests[i].Component == v.component {
			return &d.requests[i]
		}
	}
	d.requests = append(d.requests, components.ComponentRequest{Component: v.component, Reduction: v.reduction, Rect: v.samples(d.pixels)})
	return &d.requests[len(d.requests)-1]
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
				o.Buffer.AddDamage(d.indirect[i].samples.Buffer.Damage())
				d.indirect[i].draw(o, d.pixels.Intersect(o.Rect))
			}
		}
	}
	return nil
}
