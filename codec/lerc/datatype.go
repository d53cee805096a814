package lerc

import "tileserver/raster"

// TypeOf returns the type of streams for samples of a type, or false if LERC has none.
func TypeOf(t raster.DataType) (Type, bool) {
	switch t {
	case raster.Int8:
		return Int8, true
	case raster.Uint8:
		return Uint8, true
	case raster.Int16:
		return Int16, true
	case raster.Uint16:
		return Uint16, true
	case raster.Int32:
		return Int32, true
	case raster.Uint32:
		return Uint32, true
	case raster.Float32:
		return Float32, true
	case raster.Float64:
		return Float64, true
	}
	return 0, false
}
