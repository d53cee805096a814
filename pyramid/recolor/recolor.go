// Package recolor makes red, green and blue of the samples of a provider whose
// colors are of another kind: inks, luminance and chroma, Lab, logarithms. It
// knows providers and how colors mix; it must never know file formats, the
// statistics of an image or how a picture is put together.
//
// What it makes has eight bits, which is what those colors are for: they say how
// much of something there is between nothing and all of it, for a print or a
// screen, and are shown as they are. Only logarithms have no such end; they keep
// their scale, and whoever shows them finds the range of the image.
package recolor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tileserver/raster"
)

// ErrUnsupported says that no colors can be made of a provider's samples.
var ErrUnsupported = errors.New("unsupported")

// Provider is another provider with its colors as red, green and blue, or gray,
// and the bands behind them. The levels and the blocks are the same.
type Provider struct {
	source     raster.Provider
	conversion conversion
	key        string
	info       raster.Info
	opacity    int // the band that components are to be divided by, or -1
}

var _ raster.SparseProvider = (*Provider)(nil)

// New returns source with its colors made. It makes them anew whenever it is
// asked: a cache belongs above it, where there is less to keep than below.
func New(source raster.Provider) (*Provider, error) {
	stored := source.Info()
	c, err := conversionOf(stored)
	if err != nil {
		return nil, err
	}
	p := &Provider{source: source, conversion: c, key: source.Key() + c.key, info: c.infoOf(stored), opacity: -1}
	if stored.Premultiplied && !p.info.Premultiplied {
		p.opacity = stored.Alpha()
	}
	return p, nil
}

// Check tells why New would fail on a provider of such samples, if it would.
func Check(info *raster.Info) error {
	_, err := conversionOf(info)
	return err
}

// Key returns the source's with what its samples are taken for.
func (p *Provider) Key() string { return p.key }

// Info returns the source's with other bands.
func (p *Provider) Info() *raster.Info { return &p.info }

// Blocks makes the colors of the source's blocks. It asks for those components
// only that the wanted bands are made of.
func (p *Provider) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if p.conversion.convert == nil {
		return p.source.Blocks(ctx, level, ids, bands)
	}
	if err := p.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	if bands == nil {
		bands = p.info.AllBands()
	}
	needed := p.allParts(bands)
	tiles, err := p.source.Blocks(ctx, level, ids, needed)
	if err != nil {
		return nil, err
	}
	for i, t := range tiles {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		tiles[i] = p.recolored(t, needed, bands)
	}
	return tiles, nil
}

// Empty tells what the source tells, if that can.
func (p *Provider) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if sparse, ok := p.source.(raster.SparseProvider); ok {
		return sparse.Empty(ctx, level, rect)
	}
	return false, nil
}

// HasWindows tells what the source tells, if that can.
func (p *Provider) HasWindows(level int) bool {
	windowed, ok := p.source.(raster.WindowProvider)
	return ok && windowed.HasWindows(level)
}

// Window makes the colors of a window of the source.
func (p *Provider) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	source := p.source.(raster.WindowProvider)
	if p.conversion.convert == nil {
		return source.Window(ctx, level, rect, bands)
	}
	if err := p.info.CheckWindow(level, rect, bands); err != nil {
		return raster.Tile{}, err
	}
	if bands == nil {
		bands = p.info.AllBands()
	}
	needed := p.allParts(bands)
	t, err := source.Window(ctx, level, rect, needed)
	if err != nil {
		return raster.Tile{}, err
	}
	return p.recolored(t, needed, bands), nil
}

// parts returns the bands of the source that a band is made of.
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

// allParts returns the bands of the source that some bands are made of.
func (p *Provider) allParts(bands []int) []int {
	all := make([]int, 0, len(p.source.Info().Bands)) // not nil, which would be all there are
	for _, band := range bands {
		all = append(all, p.parts(band)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// recolored makes bands of a tile that has the needed bands of the source.
func (p *Provider) recolored(t raster.Tile, needed, bands []int) raster.Tile {
	made := raster.NewBuffer(p.info.Type, t.Width(), t.Height(), len(bands))
	made.InheritDamage(t)
	colors := len(p.conversion.colors)
	if slices.ContainsFunc(bands, func(band int) bool { return band < colors }) {
		p.conversion.convert(block{p.divided(t, needed), needed, made, bands})
	}
	for i, band := range bands {
		switch first := slices.Index(bands, band); {
		case first < i:
			copy(made.Plane(i), made.Plane(first))
		case band >= colors:
			p.conversion.beside(made.Plane(i), t, slices.Index(needed, p.parts(band)[0]))
		}
	}
	p.setValidity(made, t, needed, bands)
	return made.Freeze()
}

// setValidity gives a band the coverage of what it is made of. A color is there
// where any of its components is: what the others hold is a part of it, also where
// that happens to be the sample that means no data.
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

// cover adds a coverage, of which none is all valid, to a plane.
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
