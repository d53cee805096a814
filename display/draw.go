package display

import (
	"tileserver/display/picture"
	"tileserver/display/statistics"
	"tileserver/raster"
)

// draw draws the pixels of a computed tile.
func (c *Chain) draw(p *rendering, t raster.Tile) error {
	coverage := p.work.coverage(t)
	p.quantization = &c.quantization
	if c.resolved.IsPerTile() {
		own := c.resolved.newQuantization(c.resolved.rangesIn(t))
		p.quantization = &own
	}
	switch {
	case c.resolved.encodesHeights():
		return c.drawEncodedHeights(p, t, coverage)
	case c.resolved.isLines():
		drawLines(p, t, coverage)
	case c.palette != nil:
		p.Reshape(t.Width(), t.Height(), picture.RGBA)
		colorize16(p.Pix, t, coverage, c.palette)
	case c.lookup != nil:
		p.Reshape(t.Width(), t.Height(), picture.RGBA)
		c.lookup.colorize(p.Pix, t, coverage)
	case c.resolved.deep:
		c.drawDeep(p, t, coverage)
	case c.colors != nil:
		c.drawColors(p, t, coverage)
	case t.Bands() == 1:
		c.drawGray(p, t, coverage)
	default:
		c.drawRGB(p, t, coverage)
	}
	if c.mixer != nil {
		c.mixer.Apply(p.Pix, p.Format.BytesPerPixel())
	}
	return nil
}

// rangesIn returns the ranges for a stretch by the statistics of the tile alone.
func (r *Resolved) rangesIn(t raster.Tile) []Range {
	ranges := make([]Range, t.Bands())
	for band := range ranges {
		stats := statistics.OfTile(t, band)
		ranges[band] = r.stretch.limits(&stats)
	}
	return ranges
}

func (c *Chain) drawGray(p *rendering, t raster.Tile, coverage []uint8) {
	if coverage == nil {
		p.Reshape(t.Width(), t.Height(), picture.Gray)
		if grays := p.quantization.quantizers[0].quantize(t, 0, p.Pix); &grays[0] != &p.Pix[0] {
			copy(p.Pix, grays)
		}
		return
	}
	p.Reshape(t.Width(), t.Height(), picture.GrayAlpha)
	interleave2(p.Pix, p.grays(t, 0), coverage)
}

func (c *Chain) drawRGB(p *rendering, t raster.Tile, coverage []uint8) {
	if p.quantization.fused != nil && t.AllValid() {
		p.Reshape(t.Width(), t.Height(), picture.RGB)
		p.quantization.fused.interleave(p.Pix, t)
		return
	}
	red, green, blue := p.grays(t, 0), p.grays(t, 1), p.grays(t, 2)
	if coverage == nil {
		p.Reshape(t.Width(), t.Height(), picture.RGB)
		interleave3(p.Pix, red, green, blue)
		return
	}
	p.Reshape(t.Width(), t.Height(), picture.RGBA)
	interleave4(p.Pix, red, green, blue, coverage)
}

func (c *Chain) drawColors(p *rendering, t raster.Tile, coverage []uint8) {
	if coverage == nil {
		c.drawGray(p, t, nil)
		p.Format, p.Palette = picture.Paletted, &c.colors.colors
		return
	}
	p.Reshape(t.Width(), t.Height(), picture.RGBA)
	colorize(p.Pix, p.grays(t, 0), coverage, c.colors.packed)
}

// drawEncodedHeights writes heights as colors. The result has no opacity, because readers
// would decode a different number from it.
func (c *Chain) drawEncodedHeights(p *rendering, t raster.Tile, coverage []uint8) error {
	p.Reshape(t.Width(), t.Height(), picture.RGB)
	return c.resolved.relief.Encoding.Encode(p.Pix, p.Format.BytesPerPixel(), raster.Samples[float32](t, 0), coverage)
}

// casingOpacity is the opacity of the casing of contour lines. The casing must stand out on dark
// maps and still let the map show through.
const casingOpacity = 150

// drawLines draws contour lines in black with a white casing. All other pixels are transparent.
func drawLines(p *rendering, t raster.Tile, coverage []uint8) {
	p.Reshape(t.Width(), t.Height(), picture.GrayAlpha)
	lines, casing := t.Plane(0), t.Plane(1)
	pixels := p.Pix[:2*len(lines)]
	for i, around := range casing[:len(lines)] {
		black := uint32(lines[i])
		white := picture.Divide255(uint32(around) * casingOpacity)
		white = picture.Divide255(white * (255 - black))
		opacity := black + white
		gray := uint32(0)
		if opacity > 0 {
			gray = (white*255 + opacity/2) / opacity
		}
		if coverage != nil {
			opacity = picture.Divide255(opacity * uint32(coverage[i]))
		}
		if opacity == 0 {
			gray = 0
		}
		pixels[2*i], pixels[2*i+1] = uint8(gray), uint8(opacity)
	}
}
