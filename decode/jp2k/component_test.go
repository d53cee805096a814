package jp2k

import (
	"context"
	"fmt"

	"tileserver/raster"
)

// Plane holds all samples of one component at a reduction.
type Plane struct {
	Width, Height int
	Samples       []int64
	Validity      []uint8 // nil if all are stored
}

// planAndRun executes a request without splitting it.
func (r *request) planAndRun(ctx context.Context) error {
	if err := r.plan(ctx, r.numbers()); err != nil {
		return err
	}
	return r.run(ctx)
}

// Component decodes one component of the codestream alone and at its own size, before palettes and
// channel definitions.
func (m *Image) Component(ctx context.Context, component, reduction int) (*Plane, error) {
	h := m.file.header
	if component < 0 || component >= len(h.Components) || reduction < 0 || reduction > h.Levels(component) {
		return nil, fmt.Errorf("jp2k: component %d at reduction %d: %w", component, reduction, raster.ErrNoSuchBlock)
	}
	all := h.ComponentRect(component, reduction)
	p := &Plane{Width: all.Width(), Height: all.Height()}
	if all.Empty() {
		return p, nil
	}
	o := &output{rect: all, dataType: raster.Int64, bands: 1}
	r := &request{file: m.file, outputs: []*output{o}, bytes: o.bytes()}
	for _, patch := range patchesIn(o) {
		r.componentRequests = append(r.componentRequests, componentRequest{component: component, reduction: reduction, rect: patch.pixels, targets: []target{{o, 0}}})
	}
	if err := r.planAndRun(ctx); err != nil {
		return nil, fmt.Errorf("jp2k: component %d: %w", component, failure(err))
	}
	p.Samples, p.Validity = raster.Writable[int64](o.buffer, 0), o.buffer.Validity(0)
	return p, nil
}
