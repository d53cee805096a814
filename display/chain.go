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
	// ErrNoStatistics is returned by Compile if the stretch needs statistics of a band and the
	// caller passed none.
	ErrNoStatistics = errors.New("no statistics")
	// ErrMismatch is returned by Render for a tile that does not belong to the chain's dataset.
	ErrMismatch = errors.New("tile does not match the style")
)

// A Chain renders tiles of one dataset in one style. It is safe for concurrent use.
type Chain struct {
	key          string
	resolved     *Resolved
	ranges       []Range        // black and white of the shown bands; nil if each tile has its own
	quantization quantization   // samples to grays, for those ranges
	colors       *colorTable    // colors of grays or of 8-bit samples, or nil
	lighting     *lighting      // light applied to the finished pixels, or nil
	palette      []uint32       // colors of 16-bit samples, or nil
	lookup       *valueColors   // colors of samples of 32 and 64 bits, or nil
	mixer        *formula.Mixer // what the formula does to whole pixels, or nil

	renderings sync.Pool // of *rendering
}

// Compile builds the tables that r needs. It is done once for any number of tiles. The
// statistics are those of the bands that StatisticsSource returns; they may be nil unless r
// needs them.
func Compile(r *Resolved, stats *statistics.Dataset) (*Chain, error) {
	ranges, err := r.rangesFrom(stats)
	if err != nil {
		return nil, err
	}
	c := &Chain{key: r.keyWith(ranges), resolved: r, ranges: ranges}
	c.renderings.New = func() any { return c.newRendering() }
	if r.shading != nil {
		c.lighting = newLighting(r.shading.sun.Light.Level())
	}
	if r.formula != nil && len(r.shown) > 1 {
		c.mixer = r.formula.Mixer()
	}
	switch {
	case r.encodesHeights():
		return c, nil
	case r.palette != nil && r.dataType == raster.Uint16:
		c.palette = packAll(r.palette, 1<<16)
		return c, nil
	case r.palette != nil:
		c.colors = newColorTable(r.palette)
	case r.sampleColors != nil:
		c.compileSamples()
		return c, nil
	case r.colors != nil:
		c.colors = newColorTable(r.colors.colors[:])
	}
	if ranges != nil {
		c.quantization = r.newQuantization(ranges)
	}
	return c, nil
}

// quantization turns the samples of all shown bands into grays.
type quantization struct {
	quantizers []quantizer     // one for each shown band
	fused      colorQuantizer  // all three bands in one pass, or nil
	deep       []deepQuantizer // for 16-bit pictures, in place of quantizers and fused
}

// newQuantization builds the quantizers for ranges. Bands with equal needs share a quantizer.
func (r *Resolved) newQuantization(ranges []Range) quantization {
	type need struct {
		limits  Range
		channel int
	}
	known := make(map[need]quantizer, len(ranges))
	var q quantization
	for i, limits := range ranges {
		if r.isInverted(i) {
			limits.Low, limits.High = limits.High, limits.Low
		}
		bend := r.curveOf(i)
		if r.deep {
			q.deep = append(q.deep, newDeepQuantizer(r.dataType, limits, bend))
			continue
		}
		key := need{limits: limits}
		if bend != nil {
			key.channel = i
		}
		single, ok := known[key]
		if !ok {
			single = newQuantizer(r.dataType, limits, bend)
			known[key] = single
		}
		q.quantizers = append(q.quantizers, single)
	}
	q.fused = fuse(q.quantizers)
	return q
}

// rangesFrom returns the samples that become black and white in each shown band. It returns nil
// if each tile has its own ranges or if no ranges are needed.
func (r *Resolved) rangesFrom(stats *statistics.Dataset) ([]Range, error) {
	if r.palette != nil {
		return []Range{byteRange}, nil
	}
	if r.ranges != nil || !r.NeedsStatistics() {
		return r.ranges, nil
	}
	ranges := make([]Range, len(r.shown))
	for i, band := range r.shown {
		own := stats.Band(band)
		if own == nil {
			return nil, fmt.Errorf("stretch %v of band %d: %w", r.stretch, band+1, ErrNoStatistics)
		}
		ranges[i] = r.stretch.limits(own)
	}
	return ranges, nil
}

// Key identifies everything except the samples that the pixels of a picture depend on. Chains
// with equal keys render equal pictures of equal tiles.
func (c *Chain) Key() string { return c.key }

// Render renders a tile to a picture. The tile must have exactly the bands of Resolved.Bands, in
// that order, and Resolved.Halo extra pixels on each side. The ground spacing is needed only if
// there is a halo.
//
// The coverage of the tile becomes the opacity of the picture; it must already include the
// opacity band. If coverage differs between bands, a pixel gets the greatest one, and a band
// without coverage there is black. The picture is opaque if the tile is fully valid. The caller
// releases the picture.
func (c *Chain) Render(t raster.Tile, ground *GroundSpacing) (*picture.Picture, error) {
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
		light, err := c.resolved.shading.brightness(t, ground)
		if err != nil {
			p.Release()
			return nil, err
		}
		c.lighting.apply(p, raster.Samples[uint8](light, 0))
	}
	return &p.Picture, nil
}

// Compute returns the values that Render stretches and colors: the samples of the tile, or what
// the expression or the relief computes from them. It takes the same tile as Render.
func (r *Resolved) Compute(t raster.Tile, ground *GroundSpacing) (raster.Tile, error) {
	if err := r.check(t); err != nil {
		return raster.Tile{}, err
	}
	if r.computation != nil {
		computed, err := r.computation.compute(t)
		if err != nil {
			return raster.Tile{}, err
		}
		t = computed.Freeze()
	}
	if r.relief != nil {
		return reliefOf(r.relief, t, ground, r.isLines())
	}
	if r.shading != nil {
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
