package jp2k

import (
	"math"

	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/pixels"
	"tileserver/raster"
)

// sources returns where the samples of the bands come from.
func (b *bands) sources(palette *boxes.Palette) []pixels.Band {
	sources := make([]pixels.Band, len(b.channels))
	for i, c := range b.channels {
		sources[i] = pixels.Band{Component: c.Component, Value: b.value(c, palette), IsLookedUp: b.palette != nil || c.Column != boxes.Direct}
	}
	return sources
}

// value returns the conversion of a channel's samples, or nil if they stay unchanged.
func (b *bands) value(c boxes.Channel, palette *boxes.Palette) func(int64) int64 {
	scale := b.opacityScale(c)
	if c.Column == boxes.Direct {
		return scale
	}
	last := int64(palette.Entries() - 1)
	return func(v int64) int64 {
		v = palette.At(int(min(max(v, 0), last)), c.Column)
		if scale != nil {
			v = scale(v)
		}
		return v
	}
}

// opacityScale returns the conversion of opacity to the range of the bands' type, or nil if the
// ranges are equal.
func (b *bands) opacityScale(c boxes.Channel) func(int64) int64 {
	if c.Meaning != boxes.Opacity && c.Meaning != boxes.PremultipliedOpacity {
		return nil
	}
	if typeOf(c.Depth.Bits, c.Depth.Signed) == b.types && c.Depth.Bits == 8*b.types.Size() && !c.Depth.Signed {
		return nil
	}
	_, highest := b.types.Limits()
	span, lowest := math.Ldexp(1, c.Depth.Bits)-1, 0.
	if c.Depth.Signed {
		lowest = -math.Ldexp(1, c.Depth.Bits-1)
	}
	return func(v int64) int64 { return int64(math.Round((float64(v) - lowest) / span * highest)) }
}

// typeOf returns the narrowest type for samples of the given bits.
func typeOf(bits int, signed bool) raster.DataType {
	unsignedTypes := [...]raster.DataType{raster.Uint8, raster.Uint16, raster.Uint32, raster.Uint64}
	signedTypes := [...]raster.DataType{raster.Int8, raster.Int16, raster.Int32, raster.Int64}
	size := 0
	for 8<<size < bits && size < len(signedTypes)-1 {
		size++
	}
	if signed {
		return signedTypes[size]
	}
	return unsignedTypes[size]
}
