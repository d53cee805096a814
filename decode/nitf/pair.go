package nitf

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"tileserver/decode/nitf/segments"
	"tileserver/raster"
)

// pairing says how two bands make one complex band.
type pairing uint8

const (
	notPaired pairing = iota
	inPhase           // the real part, and the imaginary one
	polar             // the amplitude, and the phase: in radians, or as a part of a full circle
)

// pairingOf returns how the bands of an image make a complex one.
func pairingOf(h *segments.Image) pairing {
	if len(h.Bands) != 2 {
		return notPaired
	}
	first, second := strings.ToUpper(h.Bands[0].Subcategory), strings.ToUpper(h.Bands[1].Subcategory)
	isRadar := strings.HasPrefix(h.Category, "SAR")
	switch {
	case first == "I" && second == "Q", h.Category == "SARIQ":
		return inPhase
	case isRadar && (first == "M" && second == "P" || h.Colors == "POLAR"):
		return polar
	}
	return notPaired
}

// pairImage is an image of two bands that shows them as one complex band.
type pairImage struct {
	*blockImage
	how  pairing
	info raster.Info

	amplitudes []float64 // that samples of the first band stand for; nil if they are amplitudes
}

// newPair returns the image with one complex band, or the image itself if it has none.
func newPair(m *blockImage) (*pairImage, bool) {
	how := pairingOf(m.header)
	if how == notPaired || m.unsupported != nil || m.info.Type.IsComplex() {
		return nil, false
	}
	p := &pairImage{blockImage: m, how: how, info: m.info}
	p.info.Type, p.info.Bits = raster.Complex64, 0
	if how == inPhase {
		p.info.Type = complexOf(m.info.Type)
	}
	p.info.Bands = []raster.Band{{Name: "complex"}}
	return p, p.info.Type != raster.Unknown
}

// complexOf returns the complex type whose parts have a type, or one that holds them.
func complexOf(t raster.DataType) raster.DataType {
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
func (p *pairImage) Key() string { return p.blockImage.Key() + ":complex" }

// Info describes the image with its complex band.
func (p *pairImage) Info() *raster.Info { return &p.info }

// Blocks reads both bands and combines them.
func (p *pairImage) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := p.info.CheckRequest(level, ids, bands); err != nil {
		return nil, p.wrapError(err)
	}
	if bands == nil {
		bands = p.info.AllBands()
	}
	tiles, err := p.blockImage.Blocks(ctx, level, ids, nil)
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
	if p.how == polar {
		toCartesian(real, imaginary, p.blockImage.info.Type)
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

// storedAsComplex returns the type of complex samples if two bands are stored as such: the real part
// of each pixel before its imaginary part.
func storedAsComplex(h *segments.Image, t raster.DataType) (raster.DataType, bool) {
	made := complexOf(t)
	isStored := pairingOf(h) == inPhase && h.Mode == "P" && made.Part() == t && h.Bits == 8*t.Size()
	return made, isStored
}
