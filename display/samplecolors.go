package display

import (
	"encoding/binary"
	"math"

	"tileserver/display/colormap"
	"tileserver/raster"
)

// compileSamples builds the color tables for samples that are not stretched. Samples of up to 16
// bits get a table of all values.
func (c *Chain) compileSamples() {
	colors := c.resolved.sampleColors
	switch c.resolved.dataType {
	case raster.Uint8:
		c.compileBytes(c.resolved.storedSample)
	case raster.Int8:
		c.compileBytes(func(bits uint8) float64 { return float64(int8(bits)) })
	case raster.Uint16:
		c.palette = packColors16(colors, func(bits uint16) float64 { return float64(bits) })
	case raster.Int16:
		c.palette = packColors16(colors, func(bits uint16) float64 { return float64(int16(bits)) })
	default:
		c.lookup = newValueColors(colors)
	}
}

// storedSample converts a shown sample to the sample in the file. The result may lie between two
// stored values, which belongs to no class.
func (r *Resolved) storedSample(shown uint8) float64 {
	if r.spread <= 1 || r.computation != nil {
		return float64(shown)
	}
	stored := float64(shown) / r.spread
	if r.sampleColors.Kind() == colormap.Categories {
		return math.Round(stored)
	}
	return stored
}

func (c *Chain) compileBytes(value func(bits uint8) float64) {
	colors := make([]raster.RGBA, 1<<8)
	for bits := range colors {
		colors[bits] = raster.RGBA(c.resolved.sampleColors.At(value(uint8(bits))))
	}
	c.colors = newColorTable(colors)
	c.quantization.quantizers = []quantizer{identityQuantizer{}}
}

func packColors16(m *colormap.Map, value func(bits uint16) float64) []uint32 {
	colors := make([]raster.RGBA, 1<<16)
	for bits := range colors {
		colors[bits] = raster.RGBA(m.At(value(uint16(bits))))
	}
	return packAll(colors, len(colors))
}

// colorize16 writes the colors of signed or unsigned 16-bit samples.
func colorize16(pixels []uint8, t raster.Tile, coverage []uint8, packed []uint32) {
	if t.Type() == raster.Uint16 {
		colorize(pixels, raster.Samples[uint16](t, 0), coverage, packed)
		return
	}
	samples := raster.Samples[int16](t, 0)
	pixels = pixels[:4*len(samples)]
	for i, v := range samples {
		color := packed[uint16(v)]
		if coverage != nil {
			color = withCoverage(color, coverage[i])
		}
		binary.LittleEndian.PutUint32(pixels, color)
		pixels = pixels[4:]
	}
}

// valueColors looks up the colors of samples of 32 and 64 bits.
type valueColors struct {
	floats  *colormap.Lookup[float32]
	doubles *colormap.Lookup[float64]
}

func newValueColors(m *colormap.Map) *valueColors {
	return &valueColors{colormap.NewLookup[float32](m), colormap.NewLookup[float64](m)}
}

// samplesAtOnce is the number of samples converted per batch.
const samplesAtOnce = 1024

func (v *valueColors) colorize(pixels []uint8, t raster.Tile, coverage []uint8) {
	switch t.Type() {
	case raster.Float32:
		v.floats.Colors(pixels, raster.Samples[float32](t, 0))
	case raster.Float64:
		v.doubles.Colors(pixels, raster.Samples[float64](t, 0))
	default:
		plane := samplesOf(t, 0)
		var doubles [samplesAtOnce]float64
		for at := 0; at < plane.Len(); at += samplesAtOnce {
			batch := doubles[:min(samplesAtOnce, plane.Len()-at)]
			plane.Load(batch, at)
			v.doubles.Colors(pixels[4*at:], batch)
		}
	}
	for i, weight := range coverage {
		pixel := pixels[4*i:][:4]
		binary.LittleEndian.PutUint32(pixel, withCoverage(binary.LittleEndian.Uint32(pixel), weight))
	}
}
