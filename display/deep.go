package display

import (
	"encoding/binary"
	"math"

	"tileserver/display/picture"
	"tileserver/raster"
)

// deepOf is the brightness of the samples of a band in 16 bits.
type deepOf func(t raster.Tile, band int, brightness []uint16)

// newDeep is what newQuantizer is, for 16 bits.
func newDeep(t raster.DataType, limits Range, bend curve) deepOf {
	if t == raster.Uint16 && limits == (Range{0, math.MaxUint16}) && bend == nil {
		return func(t raster.Tile, band int, brightness []uint16) { copy(brightness, raster.Samples[uint16](t, band)) }
	}
	switch t {
	case raster.Uint8:
		return deep[uint8](limits, bend)
	case raster.Int8:
		return deep[int8](limits, bend)
	case raster.Uint16:
		return deep[uint16](limits, bend)
	case raster.Int16:
		return deep[int16](limits, bend)
	case raster.Uint32:
		return deep[uint32](limits, bend)
	case raster.Int32:
		return deep[int32](limits, bend)
	case raster.Uint64:
		return deep[uint64](limits, bend)
	case raster.Int64:
		return deep[int64](limits, bend)
	case raster.Float32:
		return deep[float32](limits, bend)
	default:
		return deep[float64](limits, bend)
	}
}

func deep[T raster.Sample](limits Range, bend curve) deepOf {
	return func(t raster.Tile, band int, brightness []uint16) {
		for i, v := range raster.Samples[T](t, band) {
			if v != v {
				brightness[i] = 0
				continue
			}
			part := partOf(float64(v), limits)
			if bend != nil {
				part = bend(part)
			}
			brightness[i] = uint16(float64(part*math.MaxUint16) + 0.5)
		}
	}
}

// drawDeep makes a picture of 16 bits a sample. It is for those who go on calculating, so
// it is written to be plain and not to be fast.
func (c *Chain) drawDeep(p *rendering, t raster.Tile, coverage []uint8) {
	formats := map[bool]picture.PixelFormat{false: picture.Gray16, true: picture.RGB16}
	if coverage != nil {
		formats = map[bool]picture.PixelFormat{false: picture.GrayAlpha16, true: picture.RGBA16}
	}
	p.Reshape(t.Width(), t.Height(), formats[t.Bands() > 1])
	pixelBytes := p.Format.BytesPerPixel()
	brightness := make([]uint16, t.Width()*t.Height())
	for band, deep := range p.tones.deep {
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
