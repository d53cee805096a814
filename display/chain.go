package display

import (
	"errors"
	"fmt"
	"sync"

	"tileserver/display/picture"
	"tileserver/display/statistics"
	"tileserver/raster"
)

var (
	// ErrNoStatistics is what Compile returns when the stretch needs statistics of a band
	// that it was not given.
	ErrNoStatistics = errors.New("no statistics")
	// ErrMismatch is what Render returns for a tile that is not of the chain's dataset.
	ErrMismatch = errors.New("tile does not fit the display")
)

// Chain renders tiles of one dataset in one way. It is safe for concurrent use.
type Chain struct {
	key        string
	dataType   raster.DataType
	bands      int
	quantizers []quantizer    // one a shown band, unless the palette is of 16-bit samples
	fused      colorQuantizer // all of them in one, or nil
	colors     *colorTable    // of grays, or of 8-bit samples of a palette; else nil
	palette    []uint32       // of 16-bit samples of a palette; else nil

	renderings sync.Pool // of *rendering
}

// Compile builds the tables that r needs, once for any number of tiles. The statistics may
// be nil unless r needs them.
func Compile(r *Resolved, of *statistics.Dataset) (*Chain, error) {
	ranges, err := r.rangesBy(of)
	if err != nil {
		return nil, err
	}
	c := &Chain{key: r.keyWith(ranges), dataType: r.dataType, bands: len(r.bands)}
	c.renderings.New = func() any { return c.newRendering() }
	switch {
	case r.palette != nil && r.dataType == raster.Uint16:
		c.palette = packAll(r.palette, 1<<16)
		return c, nil
	case r.palette != nil:
		c.colors = newColorTable(r.palette)
	case r.colorMap != nil:
		c.colors = newColorTable(r.colorMap.colors[:])
	}
	c.quantizers = r.quantizers(ranges)
	c.fused = fuse(c.quantizers)
	return c, nil
}

// quantizers is one a shown band; bands that need the same share it.
func (r *Resolved) quantizers(ranges []Range) []quantizer {
	made := make(map[Range]quantizer, len(ranges))
	quantizers := make([]quantizer, len(ranges))
	for i, limits := range ranges {
		if r.isInverted(i) {
			limits.Low, limits.High = limits.High, limits.Low
		}
		q, ok := made[limits]
		if !ok {
			q = newQuantizer(r.dataType, limits)
			made[limits] = q
		}
		quantizers[i] = q
	}
	return quantizers
}

// rangesBy is the samples that are black and white in each shown band.
func (r *Resolved) rangesBy(of *statistics.Dataset) ([]Range, error) {
	if r.palette != nil {
		return []Range{asStored}, nil
	}
	if r.ranges != nil {
		return r.ranges, nil
	}
	ranges := make([]Range, len(r.bands))
	for i, band := range r.bands {
		known := of.Band(band)
		if known == nil {
			return nil, fmt.Errorf("stretch %v of band %d: %w", r.stretch, band+1, ErrNoStatistics)
		}
		ranges[i] = r.stretch.limits(known)
	}
	return ranges, nil
}

// Key names everything that a picture depends on but the samples: chains with equal keys
// make equal pictures of equal tiles.
func (c *Chain) Key() string { return c.key }

// Render makes a picture of a tile that has exactly the bands of Resolved.Bands in their
// order. The coverage of its pixels, in which the band of opacity is already contained,
// becomes opacity: of a pixel whose bands differ, the greatest; what is not covered in one
// band only is black in that band. The picture is opaque if the tile is, and should be
// released after use.
func (c *Chain) Render(t raster.Tile) (*picture.Picture, error) {
	if err := c.check(t); err != nil {
		return nil, err
	}
	p := c.renderings.Get().(*rendering)
	coverage := p.work.coverage(t)
	switch {
	case c.palette != nil:
		p.Reshape(t.Width(), t.Height(), picture.RGBA)
		colorize(p.Pix, raster.Samples[uint16](t, 0), coverage, c.palette)
	case c.colors != nil:
		c.renderColors(p, t, coverage)
	case c.bands == 1:
		c.renderGray(p, t, coverage)
	default:
		c.renderRGB(p, t, coverage)
	}
	return &p.Picture, nil
}

func (c *Chain) check(t raster.Tile) error {
	if t.IsZero() || t.Width() < 1 || t.Height() < 1 {
		return fmt.Errorf("no pixels: %w", ErrMismatch)
	}
	if t.Bands() != c.bands || t.Type() != c.dataType {
		return fmt.Errorf("%d bands of %v in place of %d of %v: %w", t.Bands(), t.Type(), c.bands, c.dataType, ErrMismatch)
	}
	return nil
}

func (c *Chain) renderGray(p *rendering, t raster.Tile, coverage []uint8) {
	if coverage == nil {
		p.Reshape(t.Width(), t.Height(), picture.Gray)
		if grays := c.quantizers[0].quantize(t, 0, p.Pix); &grays[0] != &p.Pix[0] {
			copy(p.Pix, grays)
		}
		return
	}
	p.Reshape(t.Width(), t.Height(), picture.GrayAlpha)
	interleave2(p.Pix, c.grays(p, t, 0), coverage)
}

func (c *Chain) renderRGB(p *rendering, t raster.Tile, coverage []uint8) {
	if c.fused != nil && t.AllValid() {
		p.Reshape(t.Width(), t.Height(), picture.RGB)
		c.fused.interleave(p.Pix, t)
		return
	}
	red, green, blue := c.grays(p, t, 0), c.grays(p, t, 1), c.grays(p, t, 2)
	if coverage == nil {
		p.Reshape(t.Width(), t.Height(), picture.RGB)
		interleave3(p.Pix, red, green, blue)
		return
	}
	p.Reshape(t.Width(), t.Height(), picture.RGBA)
	interleave4(p.Pix, red, green, blue, coverage)
}

func (c *Chain) renderColors(p *rendering, t raster.Tile, coverage []uint8) {
	if coverage == nil {
		c.renderGray(p, t, nil)
		p.Format, p.Palette = picture.Paletted, &c.colors.colors
		return
	}
	p.Reshape(t.Width(), t.Height(), picture.RGBA)
	colorize(p.Pix, c.grays(p, t, 0), coverage, c.colors.packed)
}

// grays are the grays of a band, black where that band has no data but another one has.
func (c *Chain) grays(p *rendering, t raster.Tile, band int) []uint8 {
	scratch := p.work.plane(band, t.Width()*t.Height())
	grays := c.quantizers[band].quantize(t, band, scratch)
	if !p.work.differ {
		return grays
	}
	return blackOutside(scratch, grays, t.Validity(band))
}
