package display

import (
	"slices"
	"strings"
	"unicode"

	"tileserver/raster"
)

// Words in names that hint at heights, and at numbers that are something else.
var (
	heightWords = []string{
		"dem", "dtm", "dsm", "dgm", "chm", "srtm", "aster", "gdem", "gebco", "etopo", "elevation", "elevations", "elev", "height", "heights",
		"altitude", "terrain", "topography", "bathymetry", "depth",
	}
	otherWords = []string{
		"ndvi", "ndwi", "ndsi", "nbr", "evi", "savi", "index", "temperature", "lst", "slope", "aspect", "hillshade", "reflectance", "radiance",
		"backscatter", "sigma", "gamma", "amplitude", "intensity", "probability", "coherence", "phase", "precipitation", "density", "error", "uncertainty",
	}
	lightWords = []string{"red", "green", "blue", "nir", "swir", "infrared", "pan", "panchromatic"} // of a band, for a file may be of a green valley
)

// HasHeights tells whether the samples of a dataset are likely to be heights, so that it makes sense to shade them. The
// unit of the band decides. Without one, the names, of the band and of the file, are hints, and then the type is: heights
// below the sea and between two meters need signed integers or floats.
func HasHeights(info *raster.Info, names ...string) bool {
	seen := visibleBands(info)
	if len(seen) != 1 || info.Type.IsComplex() || info.Magnitudes || info.Colors.Space != raster.RGB {
		return false
	}
	band := &info.Bands[seen[0]]
	isAmount := band.Color == raster.Gray || band.Color == raster.Undefined
	if !isAmount || len(band.Categories) > 0 || band.Wavelength > 0 || info.Inverted {
		return false
	}
	if strings.TrimSpace(band.Unit) != "" {
		return isLength(band.Unit)
	}
	isWide := info.Type.Size() > 1
	names = append([]string{band.Name}, names...)
	switch {
	case namesHold(names, otherWords) || namesHold(names[:1], lightWords) || isRatio(band.Stored):
		return false
	case namesHold(names, heightWords):
		return isWide
	}
	return isWide && (info.Type.IsFloat() || isSigned(info.Type))
}

// isRatio tells whether stored statistics say that samples lie between -1 and 1, as those of an index or a probability.
func isRatio(stored *raster.StoredStatistics) bool {
	return stored != nil && stored.Min >= -1 && stored.Max <= 1
}

func isSigned(t raster.DataType) bool {
	low, _ := t.Limits()
	return low < 0
}

// namesHold tells whether a name has one of some words between marks and digits.
func namesHold(names, words []string) bool {
	for _, name := range names {
		parts := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
		if slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(words, part) }) {
			return true
		}
	}
	return false
}
