package display

import (
	"encoding/binary"
	"math"

	"tileserver/display/picture"
	"tileserver/raster"
)

// A deepQuantizer converts the samples of a band to brightness in 16 bits.
type deepQuantizer func(t raster.Tile, band int, brightness []uint16)

// newDeepQuantizer is the 16-bit counterpart of newQuantizer.
func newDeepQuantizer(t raster.DataType, limits Range, bend curve) deepQuantizer {
	if t == raster.Uint16 && limits == (Range{0, math.MaxUint16}) && bend == nil {
		return func(t raster.Tile, band int, brightness []uint16) { copy(brightness, raster.Samples[uint16](t, band)) }
	}
	switch t {
	case raster.Uint8:
		return deepQuantizerFor[uint8](limits, bend)
	case raster.Int8:
		return deepQuantizerFor[int8](limits, bend)
	case raster.Uint16:
		return deepQuantizerFor[uint16](limits, bend)
	case raster.Int16:
		return deepQuantizerFor[int16](limits, bend)
	case raster.Uint32:
		return deepQuantizerFor[uint32](limits, bend)
	case raster.Int32:
		return deepQuantizerFor[int32](limits, bend)
	case raster.Uint64:
		return deepQuantizerFor[uint64](limits, bend)
	case raster.Int64:
		return deepQuantizerFor[int64](limits, bend)
	case raster.Float32:
		return deepQuantizerFor[float32](limits, bend)
	default:
		return deepQuantizerFor[float64](limits, bend)
	}
}

func deepQuantizerFor[T raster.Sample](limits Range, bend curve) deepQuantizer {
	return func(t raster.Tile, band int, brightness []uint16) {
		for i, v := range raster.Samples[T](t, band) {
			if v != v {
				brightness[i] = 0
				continue
			}
			part := fraction(float64(v), limits)
			if bend != nil {
				part = bend(part)
			}
			brightness[i] = uint16(float64(part*math.MaxUint16) + 0.5)
		}
	}
}

// drawDeep renders a picture with 16 bits per sample. Such pictures are input for calculations,
// so the code favors simplicity over speed.
func (c *Chain) drawDeep(p *rendering, t raster.Tile, coverage []uint8) {
	formats := map[bool]picture.PixelFormat{false: picture.Gray16, true: picture.RGB16}
	if coverage != nil {
		formats = map[bool]picture.PixelFormat{false: picture.GrayAlpha16, true: picture.RGBA16}
	}
	p.Reshape(t.Width(), t.Height(), formats[t.Bands() > 1])
	pixelBytes := p.Format.BytesPerPixel()
	brightness := make([]uint16, t.Width()*t.Height())
	for band, deep := range p.quantization.deep {
		deep(t, band, brightness)
		own := t.Validity(band)
		for i, v := range brightness {
			if coverage != nil && coverage[i] == raster.Invalid || own != nil && own[i] == raster.Invalid {
				v = 0
			}
			binary.BigEndian.PutUint16(p.Pix[i*pixelBytes+2*band:], v)
		}
	}
	for i, covered := range coverage {
		binary.BigEndian.PutUint16(p.Pix[i*pixelBytes+2*t.Bands():], uint16(covered)*257)
	}
}
