package display

import (
	"errors"
	"fmt"
	"sync"

	"tileserver/display/formula"
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
	key      string
	resolved *Resolved
	ranges   []Range      // of the shown bands; none where each tile has its own
	tones    tones        // of those ranges
	colors   *colorTable  // of grays, or of 8-bit samples that have colours; else nil
	lighting *lighting    // on all of that; else nil
	palette  []uint32     // of 16-bit samples that have colours; else nil
	lookup   *valueColors // of larger samples that have colours; else nil
	rest     *formula.Rest

	renderings sync.Pool // of *rendering
}

// Compile builds the tables that r needs, once for any number of tiles. The statistics may
// be nil unless r needs them; they are of the bands of Measured.
func Compile(r *Resolved, of *statistics.Dataset) (*Chain, error) {
	ranges, err := r.rangesBy(of)
	if err != nil {
		return nil, err
	}
	c := &Chain{key: r.keyWith(ranges), resolved: r, ranges: ranges}
	c.renderings.New = func() any { return c.newRendering() }
	if r.shade != nil {
		c.lighting = newLighting(r.shade.sun.Light.Level())
	}
	if r.formula != nil && len(r.shown) > 1 {
		c.rest = r.formula.Rest()
	}
	switch {
	case r.isCode():
		return c, nil
	case r.palette != nil && r.dataType == raster.Uint16:
		c.palette = packAll(r.palette, 1<<16)
		return c, nil
	case r.palette != nil:
		c.colors = newColorTable(r.palette)
	case r.samples != nil:
		c.compileSamples()
		return c, nil
	case r.colors != nil:
		c.colors = newColorTable(r.colors.colors[:])
	}
	if ranges != nil {
		c.tones = r.tones(ranges)
	}
	return c, nil
}

// tones make samples into grays.
type tones struct {
	quantizers []quantizer    // one a shown band
	fused      colorQuantizer // all of them in one, or nil
	deep       []deepOf       // instead of those, for 16 bits
}

// tones are those of ranges; bands that need the same share it.
func (r *Resolved) tones(ranges []Range) tones {
	type need struct {
		limits  Range
		channel int
	}
	made := make(map[need]quantizer, len(ranges))
	var t tones
	for i, limits := range ranges {
		if r.isInverted(i) {
			limits.Low, limits.High = limits.High, limits.Low
		}
		bend := r.curveOf(i)
		if r.deep {
			t.deep = append(t.deep, newDeep(r.dataType, limits, bend))
			continue
		}
		of := need{limits: limits}
		if bend != nil {
			of.channel = i
		}
		q, ok := made[of]
		if !ok {
			q = newQuantizer(r.dataType, limits, bend)
			made[of] = q
		}
		t.quantizers = append(t.quantizers, q)
	}
	t.fused = fuse(t.quantizers)
	return t
}

// rangesBy is the samples that are black and white in each shown band; none where each tile
// has its own, or needs none.
func (r *Resolved) rangesBy(of *statistics.Dataset) ([]Range, error) {
	if r.palette != nil {
		return []Range{asStored}, nil
	}
	if r.ranges != nil || !r.NeedsStatistics() {
		return r.ranges, nil
	}
	ranges := make([]Range, len(r.shown))
	for i, band := range r.shown {
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
// order, and on each side as many pixels more as Resolved.Halo says. Only a halo needs the
// ground. The coverage of its pixels, in which the band of opacity is already contained,
// becomes opacity: of a pixel whose bands differ, the greatest; what is not covered in one
// band only is black in that band. The picture is opaque if the tile is, and should be
// released after use.
func (c *Chain) Render(t raster.Tile, ground *Ground) (*picture.Picture, error) {
	shown, err := c.resolved.Compute(t, ground)
	if err != nil {
		return nil, err
	}
	p := c.renderings.Get().(*rendering)
	if err := c.draw(p, shown); err != nil {
		p.Release()
		return nil, err
	}
	if c.lighting != nil {
		light, err := c.resolved.shade.of(t, ground)
		if err != nil {
			p.Release()
			return nil, err
		}
		c.lighting.shine(p, raster.Samples[uint8](light, 0))
	}
	return &p.Picture, nil
}

// Compute is what is stretched and coloured of a tile, as Render takes it: its own samples,
// or what is computed of them.
func (r *Resolved) Compute(t raster.Tile, ground *Ground) (raster.Tile, error) {
	if err := r.check(t); err != nil {
		return raster.Tile{}, err
	}
	if r.values != nil {
		computed, err := r.values.of(t)
		if err != nil {
			return raster.Tile{}, err
		}
		t = computed.Freeze()
	}
	if r.relief != nil {
		return reliefOf(r.relief, t, ground, r.isLines())
	}
	if r.shade != nil {
		return withoutHalo(t)
	}
	return t, nil
}

func (r *Resolved) check(t raster.Tile) error {
	if t.IsZero() || t.Width() < 1 || t.Height() < 1 {
		return fmt.Errorf("no pixels: %w", ErrMismatch)
	}
	if t.Bands() != len(r.bands) || t.Type() != r.source {
		return fmt.Errorf("%d bands of %v in place of %d of %v: %w", t.Bands(), t.Type(), len(r.bands), r.source, ErrMismatch)
	}
	return nil
}
