// Package recolor converts the samples of a provider with other color spaces to red, green and
// blue: inks, luminance and chroma, Lab, and logarithms of light. It knows providers and color
// arithmetic. It must never know file formats, statistics of an image or how a picture is composed.
//
// The result has eight bits. Colors for print and screens have a fixed range, from no intensity to
// full, and need no stretching. Only logarithms have an open range: they keep their scale, and
// display code finds the range of the image.
package recolor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tileserver/raster"
)

// ErrUnsupported means that the samples of a provider cannot be converted.
var ErrUnsupported = errors.New("unsupported")

// Provider is a wrapper that converts colors to red, green and blue, or to gray. The bands behind
// the color components follow. Levels and blocks are those of the source.
type Provider struct {
	raster.Wrapper
	conversion conversion
	key        string
	info       raster.Info
	opacity    int // the band to divide components by, or -1
}

// New returns source with converted colors. It converts on every call, so put a cache above it: the
// result takes less memory than the source.
func New(source raster.Provider) (*Provider, error) {
	stored := source.Info()
	c, err := conversionOf(stored)
	if err != nil {
		return nil, err
	}
	p := &Provider{Wrapper: raster.Over(source), conversion: c, key: source.Key() + c.key, info: c.infoOf(stored), opacity: -1}
	if stored.Premultiplied && !p.info.Premultiplied {
		p.opacity = stored.Alpha()
	}
	return p, nil
}

// Check returns the error that New would return for a provider with this info.
func Check(info *raster.Info) error {
	_, err := conversionOf(info)
	return err
}

// Key returns the key of the source with the parameters of the conversion.
func (p *Provider) Key() string { return p.key }

// Info returns the info of the source with the new bands.
func (p *Provider) Info() *raster.Info { return &p.info }

// Blocks converts the source's blocks. It reads only the components that the requested bands need.
func (p *Provider) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if p.conversion.convert == nil {
		return p.Provider.Blocks(ctx, level, ids, bands)
	}
	if err := p.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	if bands == nil {
		bands = p.info.AllBands()
	}
	needed := p.allParts(bands)
	tiles, err := p.Provider.Blocks(ctx, level, ids, needed)
	if err != nil {
		return nil, err
	}
	for i, t := range tiles {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		tiles[i] = p.convert(t, needed, bands)
	}
	return tiles, nil
}

// Window converts a window of the source.
func (p *Provider) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	if p.conversion.convert == nil {
		return p.Wrapper.Window(ctx, level, rect, bands)
	}
	if err := p.info.CheckWindow(level, rect, bands); err != nil {
		return raster.Tile{}, err
	}
	if bands == nil {
		bands = p.info.AllBands()
	}
	needed := p.allParts(bands)
	t, err := p.Wrapper.Window(ctx, level, rect, needed)
	if err != nil {
		return raster.Tile{}, err
	}
	return p.convert(t, needed, bands), nil
}

// StoredPicture returns none, since a browser would show the components as red, green and blue.
func (*Provider) StoredPicture(context.Context, int, raster.Rect) (raster.StoredPicture, bool, error) {
	return raster.StoredPicture{}, false, nil
}

// IsCached reports whether the components that bands need are cached.
func (p *Provider) IsCached(level int, ids []raster.BlockID, bands []int) []bool {
	if p.conversion.convert == nil {
		return p.Wrapper.IsCached(level, ids, bands)
	}
	if bands == nil {
		bands = p.info.AllBands()
	}
	return p.Wrapper.IsCached(level, ids, p.allParts(bands))
}

// parts returns the source bands that a band is computed from.
func (p *Provider) parts(band int) []int {
	colors := len(p.conversion.colors)
	if band >= colors {
		return []int{band - colors + p.conversion.components}
	}
	parts := p.conversion.colors[band].parts
	if p.opacity >= 0 {
		parts = append(slices.Clone(parts), p.opacity)
	}
	return parts
}

// allParts returns the source bands that bands are computed from.
func (p *Provider) allParts(bands []int) []int {
	all := make([]int, 0, len(p.Provider.Info().Bands)) // not nil, which would mean all bands
	for _, band := range bands {
		all = append(all, p.parts(band)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// convert computes bands from a tile with the needed source bands.
func (p *Provider) convert(t raster.Tile, needed, bands []int) raster.Tile {
	made := raster.NewBuffer(p.info.Type, t.Width(), t.Height(), len(bands))
	made.InheritDamage(t)
	colors := len(p.conversion.colors)
	if slices.ContainsFunc(bands, func(band int) bool { return band < colors }) {
		p.conversion.convert(block{p.unpremultiplied(t, needed), needed, made, bands})
	}
	for i, band := range bands {
		switch first := slices.Index(bands, band); {
		case first < i:
			copy(made.Plane(i), made.Plane(first))
		case band >= colors:
			p.conversion.convertOther(made.Plane(i), t, slices.Index(needed, p.parts(band)[0]))
		}
	}
	p.setValidity(made, t, needed, bands)
	return made.Freeze()
}

// setValidity sets the coverage of bands. A color is valid where any of its components is: the
// other components are then part of the color, even if one equals the nodata value.
func (p *Provider) setValidity(made *raster.Buffer, t raster.Tile, needed, bands []int) {
	if !t.HasOwnValidity() {
		made.SetValidity(t.Validity(0))
		return
	}
	for i, band := range bands {
		plane := made.OwnValidity(i)
		for n, part := range p.parts(band) {
			if n > 0 && part == p.opacity {
				continue
			}
			cover(plane, t.Validity(slices.Index(needed, part)), n == 0)
		}
	}
}

// cover adds a coverage to a plane. A nil coverage means all valid.
func cover(plane, more []uint8, first bool) {
	switch {
	case more == nil:
		for i := range plane {
			plane[i] = raster.Valid
		}
	case first:
		copy(plane, more)
	default:
		for i, v := range more {
			plane[i] = max(plane[i], v)
		}
	}
}

func unsupported(format string, values ...any) error {
	return fmt.Errorf(format+": %w", append(values, ErrUnsupported)...)
}
