package combine

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"tileserver/decode/container"
	"tileserver/raster"
)

// Pairing says how two bands make one complex band.
type Pairing uint8

// The ways in which bands are paired.
const (
	InPhase Pairing = iota + 1 // the real part, and the imaginary one
	Polar                      // the amplitude, and the phase: in radians, or as a part of a full circle
)

// pairImage is an image of two bands that shows them as one complex band.
type pairImage struct {
	container.Image
	how  Pairing
	info raster.Info

	amplitudes []float64 // that samples of the first band stand for; nil if they are amplitudes
}

var _ raster.SparseProvider = (*pairImage)(nil)

// Pair returns an image of two bands as one of a complex band. amplitudes is the table of amplitudes
// that samples of 8 bits stand for, or nil. It returns false for bands that make none.
func Pair(m container.Image, how Pairing, amplitudes []float64) (container.Image, bool) {
	p := &pairImage{Image: m, how: how, info: *m.Info(), amplitudes: amplitudes}
	p.info.Type, p.info.Bits = raster.Complex64, 0
	if how == InPhase {
		p.info.Type = ComplexOf(m.Info().Type)
	}
	p.info.Bands = []raster.Band{{Name: "complex"}}
	return p, p.info.Type != raster.Unknown && !m.Info().Type.IsComplex()
}

// ComplexOf returns the complex type whose parts have a type, or one that holds them.
func ComplexOf(t raster.DataType) raster.DataType {
	switch t {
	case raster.Int8, raster.Int16:
		return raster.ComplexInt16
	case raster.Int32:
		return raster.ComplexInt32
	case raster.Float32, raster.Uint8, raster.Uint16:
		return raster.Complex64
	case raster.Float64, raster.Uint32:
		return raster.Complex128
	}
	return raster.Unknown
}

// Key returns the key of the complex pixels.
func (p *pairImage) Key() string { return p.Image.Key() + ":complex" }

// Info describes the image with its complex band.
func (p *pairImage) Info() *raster.Info { return &p.info }

// Blocks reads both bands and combines them.
func (p *pairImage) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := p.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	if bands == nil {
		bands = p.info.AllBands()
	}
	tiles, err := p.Image.Blocks(ctx, level, ids, nil)
	if err != nil {
		return nil, err
	}
	for i, tile := range tiles {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		tiles[i] = p.combine(tile, len(bands))
	}
	return tiles, nil
}

// Empty asks the image of two bands.
func (p *pairImage) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	return raster.IsEmpty(ctx, p.Image, level, rect)
}

// combine returns the complex samples of two bands, so often as bands are asked for.
func (p *pairImage) combine(tile raster.Tile, bands int) raster.Tile {
	b := raster.NewBuffer(p.info.Type, tile.Width(), tile.Height(), bands)
	b.InheritDamage(tile)
	real, imaginary := values(tile, 0), values(tile, 1)
	if p.amplitudes != nil {
		for i, v := range real {
			real[i] = p.amplitudes[int(v)]
		}
	}
	if p.how == Polar {
		toCartesian(real, imaginary, p.Image.Info().Type)
	}
	for band := range bands {
		putComplex(b, band, real, imaginary)
	}
	if !tile.AllValid() {
		plane := make([]uint8, tile.Width()*tile.Height())
		for i := range plane {
			plane[i] = min(validityAt(tile, 0, i), validityAt(tile, 1, i))
		}
		b.SetValidity(plane)
	}
	return b.Freeze()
}

func validityAt(t raster.Tile, band, at int) uint8 {
	if v := t.Validity(band); v != nil {
		return v[at]
	}
	return raster.Valid
}

// values returns the samples of a band as numbers.
func values(t raster.Tile, band int) []float64 {
	switch t.Type() {
	case raster.Uint8:
		return floats(raster.Samples[uint8](t, band))
	case raster.Int8:
		return floats(raster.Samples[int8](t, band))
	case raster.Uint16:
		return floats(raster.Samples[uint16](t, band))
	case raster.Int16:
		return floats(raster.Samples[int16](t, band))
	case raster.Uint32:
		return floats(raster.Samples[uint32](t, band))
	case raster.Int32:
		return floats(raster.Samples[int32](t, band))
	case raster.Float32:
		return floats(raster.Samples[float32](t, band))
	}
	return slices.Clone(raster.Samples[float64](t, band))
}

func floats[T raster.Sample](samples []T) []float64 {
	out := make([]float64, len(samples))
	for i, v := range samples {
		out[i] = float64(v)
	}
	return out
}

// toCartesian turns amplitudes and phases into real and imaginary parts. A phase of integers has a
// full circle in the range of its type.
func toCartesian(amplitudes, phases []float64, t raster.DataType) {
	unit := 1.
	if !t.IsFloat() {
		unit = 2 * math.Pi / math.Ldexp(1, 8*t.Size())
	}
	for i, amplitude := range amplitudes {
		sine, cosine := math.Sincos(phases[i] * unit)
		amplitudes[i], phases[i] = amplitude*cosine, amplitude*sine
	}
}

// putComplex writes a band of complex samples.
func putComplex(b *raster.Buffer, band int, real, imaginary []float64) {
	native, plane := binary.NativeEndian, b.Plane(band)
	size := b.Type().Part().Size()
	for i := range real {
		for part, v := range [2]float64{real[i], imaginary[i]} {
			to := plane[(2*i+part)*size:]
			switch b.Type() {
			case raster.ComplexInt16:
				native.PutUint16(to, uint16(int16(v)))
			case raster.ComplexInt32:
				native.PutUint32(to, uint32(int32(v)))
			case raster.Complex64:
				native.PutUint32(to, math.Float32bits(float32(v)))
			default:
				native.PutUint64(to, math.Float64bits(v))
			}
		}
	}
}
