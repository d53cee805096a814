package tag

// Keys of the tag GeoKeys, and their values.
const (
	keyModelType    = 1024
	keyRasterType   = 1025
	keyGeodeticCRS  = 2048
	keyProjectedCRS = 3072

	modelProjected   = 1
	modelGeographic  = 2
	rasterPixelArea  = 1
	rasterPixelPoint = 2
)

// What a directory of keys begins with, before the number of its keys, and where the value of a key is.
const (
	version, revision, minorRevision = 1, 1, 0

	inPlace, one = 0, 1 // the value itself follows, and there is one
)

// RegisteredKeys returns the values of the tag GeoKeys for a reference system of the EPSG registry, if
// coordinates count from the corners of pixels.
func RegisteredKeys(code uint16, isGeographic bool) [16]uint16 {
	model, key := uint16(modelProjected), uint16(keyProjectedCRS)
	if isGeographic {
		model, key = modelGeographic, keyGeodeticCRS
	}
	return [...]uint16{
		version, revision, minorRevision, 3,
		keyModelType, inPlace, one, model,
		keyRasterType, inPlace, one, rasterPixelArea,
		key, inPlace, one, code,
	}
}

// UnnamedKeys returns the values of the tag GeoKeys if nothing is known of the reference system, and
// coordinates count from the corners of pixels.
func UnnamedKeys() [8]uint16 {
	return [...]uint16{
		version, revision, minorRevision, 1,
		keyRasterType, inPlace, one, rasterPixelArea,
	}
}

// CountFromCenters reports whether the values of the tag GeoKeys say that coordinates are those of the
// centers of pixels.
func CountFromCenters(keys []uint16) bool {
	for at := 4; at+4 <= len(keys); at += 4 {
		if key := keys[at:]; key[0] == keyRasterType {
			return key[3] == rasterPixelPoint
		}
	}
	return false
}
