package display

import (
	"encoding/binary"
	"math"

	"tileserver/display/colormap"
	"tileserver/raster"
)

// compileSamples makes tables of colours for samples that are not stretched: of every sample
// there can be, where these are few.
func (c *Chain) compileSamples() {
	of := c.resolved.samples
	switch c.resolved.dataType {
	case raster.Uint8:
		c.compileBytes(c.resolved.storedSample)
	case raster.Int8:
		c.compileBytes(func(bits uint8) float64 { return float64(int8(bits)) })
	case raster.Uint16:
		c.palette = packWords(of, func(bits uint16) float64 { return float64(bits) })
	case raster.Int16:
		c.palette = packWords(of, func(bits uint16) float64 { return float64(int16(bits)) })
	default:
		c.lookup = newValueColors(of)
	}
}

// storedSample is the sample of the file that a shown one is, or what lies between two of
// them, which no class does.
func (r *Resolved) storedSample(shown uint8) float64 {
	if r.spread <= 1 || r.values != nil {
		return float64(shown)
	}
	stored := float64(shown) / r.spread
	if r.samples.Kind() == colormap.Categories {
		return math.Round(stored)
	}
	return stored
}

func (c *Chain) compileBytes(value func(bits uint8) float64) {
	colors := make([]raster.RGBA, 1<<8)
	for bits := range colors {
		colors[bits] = raster.RGBA(c.resolved.samples.At(value(uint8(bits))))
	}
	c.colors = newColorTable(colors)
	c.tones.quantizers = []quantizer{asIs{}}
}

func packWords(of *colormap.Map, value func(bits uint16) float64) []uint32 {
	colors := make([]raster.RGBA, 1<<16)
	for bits := range colors {
		colors[bits] = raster.RGBA(of.At(value(uint16(bits))))
	}
	return packAll(colors, len(colors))
}

// colorizeWords makes samples of 16 bits into their colours, whatever their sign.
func colorizeWords(pixels []uint8, t raster.Tile, coverage []uint8, packed []uint32) {
	if t.Type() == raster.Uint16 {
		colorize(pixels, raster.Samples[uint16](t, 0), coverage, packed)
		return
	}
	samples := raster.Samples[int16](t, 0)
	pixels = pixels[:4*len(samples)]
	for i, v := range samples {
		color := packed[uint16(v)]
		if coverage != nil {
			color = covered(color, coverage[i])
		}
		binary.LittleEndian.PutUint32(pixels, color)
		pixels = pixels[4:]
	}
}

// valueColors are the colours of samples of 32 and 64 bits.
type valueColors struct {
	singles *colormap.Lookup[float32]
	doubles *colormap.Lookup[float64]
}

func newValueColors(of *colormap.Map) *valueColors {
	return &valueColors{colormap.NewLookup[float32](of), colormap.NewLookup[float64](of)}
}

// samplesAtOnce are converted together.
const samplesAtOnce = 1024

func (v *valueColors) colorize(pixels []uint8, t raster.Tile, coverage []uint8) {
	switch t.Type() {
	case raster.Float32:
		v.singles.Colors(pixels, raster.Samples[float32](t, 0))
	case raster.Float64:
		v.doubles.Colors(pixels, raster.Samples[float64](t, 0))
	default:
		plane := samplesOf(t, 0)
		var doubles [samplesAtOnce]float64
		for at := 0; at < plane.Len(); at += samplesAtOnce {
			some := doubles[:min(samplesAtOnce, plane.Len()-at)]
			plane.Load(some, at)
			v.doubles.Colors(pixels[4*at:], some)
		}
	}
	for i, part := range coverage {
		pixel := pixels[4*i:][:4]
		binary.LittleEndian.PutUint32(pixel, covered(binary.LittleEndian.Uint32(pixel), part))
	}
}
