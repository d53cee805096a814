package jp2k

import (
	"context"
	"fmt"

	"tileserver/decode/jp2k/components"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// Plane holds all samples of one component at a reduction.
type Plane struct {
	Width, Height int
	Samples       []int64
	Validity      []uint8 // nil if all are stored
}

// Component decodes one component of the codestream alone and at its own size, before palettes and
// channel definitions.
func (m *Image) Component(ctx context.Context, component, reduction int) (*Plane, error) {
	h := m.file.stream.Header()
	if component < 0 || component >= len(h.Components) || reduction < 0 || reduction > h.Levels(component) {
		return nil, fmt.Errorf("jp2k: component %d at reduction %d: %w", component, reduction, raster.ErrNoSuchBlock)
	}
	all := h.ComponentRect(component, reduction)
	p := &Plane{Width: all.Width(), Height: all.Height()}
	if all.Empty() {
		return p, nil
	}
	o := &components.Output{Rect: all, Type: raster.Int64, Bands: 1}
	r := m.file.stream.NewRequest()
	r.AddOutputs([]*components.Output{o}, o.Bytes())
	const side = 512
	for y := all.Y0; y < all.Y1; y += side {
		for x := all.X0; x < all.X1; x += side {
			r.AddSamples(components.ComponentRequest{
				Component: component, Reduction: reduction, Targets: []components.Target{{Output: o}},
				Rect: wavelet.Rect{X0: x, Y0: y, X1: x + side, Y1: y + side}.Intersect(all),
			})
		}
	}
	if err := r.Plan(ctx); err != nil {
		return nil, fmt.Errorf("jp2k: component %d: %w", component, err)
	}
	if err := r.Run(ctx); err != nil {
		return nil, fmt.Errorf("jp2k: component %d: %w", component, err)
	}
	p.Samples, p.Validity = raster.Writable[int64](o.Buffer, 0), o.Buffer.Validity(0)
	return p, nil
}
