package components

import (
	"encoding/binary"

	"tileserver/decode/jp2k/samples"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// storePacked stores the samples of a rectangle, clipped to the target. They are bytes, or have 16 bits with
// the lower byte first if their depth needs that.
func storePacked(t Target, packed []byte, rect wavelet.Rect, depth samples.Depth) {
	switch t.Type {
	case raster.Uint8:
		storePackedAs[uint8](t, packed, rect, depth)
	case raster.Int8:
		storePackedAs[int8](t, packed, rect, depth)
	case raster.Uint16:
		storePackedAs[uint16](t, packed, rect, depth)
	case raster.Int16:
		storePackedAs[int16](t, packed, rect, depth)
	case raster.Uint32:
		storePackedAs[uint32](t, packed, rect, depth)
	case raster.Int32:
		storePackedAs[int32](t, packed, rect, depth)
	case raster.Uint64:
		storePackedAs[uint64](t, packed, rect, depth)
	case raster.Int64:
		storePackedAs[int64](t, packed, rect, depth)
	}
}

func storePackedAs[T samples.Sample](t Target, packed []byte, rect wavelet.Rect, depth samples.Depth) {
	part := rect.Intersect(t.Rect)
	if part.Empty() {
		return
	}
	to := raster.Writable[T](t.Buffer, t.Band)
	bytes := 1
	if depth.Bits > 8 {
		bytes = 2
	}
	for y := part.Y0; y < part.Y1; y++ {
		at := (y-rect.Y0)*rect.Width() + part.X0 - rect.X0
		unpack(to[t.At(part.X0, y):][:part.Width()], packed[bytes*at:][:bytes*part.Width()], depth)
	}
}

// unpack converts packed samples.
func unpack[T samples.Sample](to []T, packed []byte, depth samples.Depth) {
	same, isSame := any(to).([]byte)
	switch isWide := depth.Bits > 8; {
	case isWide && depth.Signed:
		for i := range to {
			to[i] = T(int16(binary.LittleEndian.Uint16(packed[2*i:])))
		}
	case isWide:
		for i := range to {
			to[i] = T(binary.LittleEndian.Uint16(packed[2*i:]))
		}
	case depth.Signed:
		for i := range to {
			to[i] = T(int8(packed[i]))
		}
	case isSame:
		copy(same, packed)
	default:
		for i := range to {
			to[i] = T(packed[i])
		}
	}
}
