package display

import (
	"slices"
	"strings"
	"unicode"

	"tileserver/raster"
)

// Words in the names of bands and files. They suggest that samples are heights, or are not.
var (
	heightWords = []string{
		"dem", "dtm", "dsm", "dgm", "chm", "srtm", "aster", "gdem", "gebco", "etopo", "elevation", "elevations", "elev", "height", "heights",
		"altitude", "terrain", "topography", "bathymetry", "depth",
	}
	nonHeightWords = []string{
		"ndvi", "ndwi", "ndsi", "nbr", "evi", "savi", "index", "temperature", "lst", "slope", "aspect", "hillshade", "reflectance", "radiance",
		"backscatter", "sigma", "gamma", "amplitude", "intensity", "probability", "coherence", "phase", "precipitation", "density", "error", "uncertainty",
	}
	opticalWords = []string{"red", "green", "blue", "nir", "swir", "infrared", "pan", "panchromatic"} // in the name of a band only: a file may be named after a green valley
)

// HasHeights reports whether the samples of a dataset are likely to be heights, so that shading
// them makes sense. The unit of the band decides. Without a unit, the names of the band and of
// the file are hints. Without such hints the data type decides: heights below sea level or in
// fractions of a meter need signed integers or floats.
func HasHeights(info *raster.Info, names ...string) bool {
	visible := visibleBands(info)
	if len(visible) != 1 || info.Type.IsComplex() || info.Magnitudes || info.Colors.Space != raster.RGB {
		return false
	}
	band := &info.Bands[visible[0]]
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
	case containsWord(names, nonHeightWords) || containsWord(names[:1], opticalWords) || isRatio(band.Stored):
		return false
	case containsWord(names, heightWords):
		return isWide
	}
	return isWide && (info.Type.IsFloat() || isSigned(info.Type))
}

// isRatio reports whether stored statistics lie between -1 and 1, as those of an index or a
// probability do.
func isRatio(stored *raster.StoredStatistics) bool {
	return stored != nil && stored.Min >= -1 && stored.Max <= 1
}

func isSigned(t raster.DataType) bool {
	low, _ := t.Limits()
	return low < 0
}

// containsWord reports whether a name contains one of the words, delimited by non-letters.
func containsWord(names, words []string) bool {
	for _, name := range names {
		parts := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
		if slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(words, part) }) {
			return true
		}
	}
	return false
}
