package geo

import (
	"errors"
	"fmt"
	"strings"
)

// ErrGeoKeys means that a GeoKeyDirectory cannot be read.
var ErrGeoKeys = errors.New("invalid GeoTIFF keys")

// GeoKeys holds the keys of a GeoTIFF file.
type GeoKeys struct {
	shorts  map[geoKey]int
	doubles map[geoKey][]float64
	texts   map[geoKey]string
}

type geoKey uint16

// TIFF tags that hold the values of keys.
const (
	directoryTag = 34735
	doublesTag   = 34736
	asciiTag     = 34737
)

// maxGeoKeys is far above the hundred or so keys that the format defines.
const maxGeoKeys = 1024

// ParseGeoKeys parses the three GeoTIFF tags: GeoKeyDirectory, GeoDoubleParams and GeoAsciiParams.
func ParseGeoKeys(directory []uint16, doubles []float64, ascii string) (GeoKeys, error) {
	keys := GeoKeys{map[geoKey]int{}, map[geoKey][]float64{}, map[geoKey]string{}}
	if len(directory) == 0 {
		return keys, nil
	}
	if len(directory) < 4 || directory[0] != 1 {
		return GeoKeys{}, fmt.Errorf("%w: a directory of %d values, not version 1", ErrGeoKeys, len(directory))
	}
	count := int(directory[3])
	if count > maxGeoKeys || len(directory) < 4+4*count {
		return GeoKeys{}, fmt.Errorf("%w: %d keys in a directory of %d values", ErrGeoKeys, count, len(directory))
	}
	for i := range count {
		entry := [4]uint16(directory[4+4*i:])
		if err := keys.add(entry, directory, doubles, ascii); err != nil {
			return GeoKeys{}, fmt.Errorf("key %d: %w", entry[0], err)
		}
	}
	return keys, nil
}

// add stores the value of one directory entry: key, place, count, offset.
func (k GeoKeys) add(entry [4]uint16, directory []uint16, doubles []float64, ascii string) error {
	key, place, count, offset := geoKey(entry[0]), int(entry[1]), int(entry[2]), int(entry[3])
	outside := func(length int) bool { return count == 0 || offset+count > length }
	switch place {
	case 0:
		k.shorts[key] = offset
	case directoryTag:
		if outside(len(directory)) {
			return fmt.Errorf("%w: %d values at %d of %d", ErrGeoKeys, count, offset, len(directory))
		}
		k.shorts[key] = int(directory[offset])
	case doublesTag:
		if outside(len(doubles)) {
			return fmt.Errorf("%w: %d numbers at %d of %d", ErrGeoKeys, count, offset, len(doubles))
		}
		k.doubles[key] = doubles[offset : offset+count : offset+count]
	case asciiTag:
		// Writers disagree about the final bar and NUL, so a text may end early.
		text := ascii[min(offset, len(ascii)):min(offset+count, len(ascii))]
		k.texts[key] = strings.TrimRight(text, "|\x00 ")
	}
	return nil
}

// PixelIsPoint reports whether coordinates refer to pixel centers.
func (k GeoKeys) PixelIsPoint() bool { return k.shorts[rasterTypeKey] == 2 }

// Citation returns the file's own description of its reference system.
func (k GeoKeys) Citation() string {
	for _, key := range []geoKey{projectedCitationKey, citationKey, geographicCitationKey} {
		if text := k.texts[key]; text != "" {
			return text
		}
	}
	return ""
}

// code returns a registry code. It returns false for 0 and "user-defined".
func (k GeoKeys) code(key geoKey) (int, bool) {
	code, ok := k.shorts[key]
	return code, ok && code != 0 && code != userDefined
}

// number returns the first value of the given keys, a double or a short.
func (k GeoKeys) number(keys ...geoKey) (float64, bool) {
	for _, key := range keys {
		if values, ok := k.doubles[key]; ok {
			return values[0], true
		}
		if value, ok := k.shorts[key]; ok {
			return float64(value), true
		}
	}
	return 0, false
}
