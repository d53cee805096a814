package tiff

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tileserver/decode/pam"
	"tileserver/raster"
)

// storedStatistics are what GDAL has noted of the samples of a band, in the words of
// the last that has all of them, or nil.
func storedStatistics(notes ...pam.Metadata) *raster.StoredStatistics {
	var stored *raster.StoredStatistics
	for _, note := range notes {
		items := note[""]
		low, lowOK := finite(items["STATISTICS_MINIMUM"])
		high, highOK := finite(items["STATISTICS_MAXIMUM"])
		mean, meanOK := finite(items["STATISTICS_MEAN"])
		deviation, deviationOK := finite(items["STATISTICS_STDDEV"])
		if lowOK && highOK && meanOK && deviationOK && low <= high && deviation >= 0 {
			stored = &raster.StoredStatistics{Min: low, Max: high, Mean: mean, StdDev: deviation}
		}
	}
	return stored
}

// named is the names of samples, or nil where all of them are empty: samples without
// names are amounts.
func named(categories []string) []string {
	if slices.ContainsFunc(categories, func(name string) bool { return name != "" }) {
		return categories
	}
	return nil
}

// finite is the number that a text is, if it is one.
func finite(text string) (float64, bool) {
	if text == "" {
		return 0, false // as it mostly is; an error would be made of it
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// wavelength is what a band has seen of light, in nanometres: as GDAL notes it of
// imagery, or as ENVI does, or as the name of the band tells. What is said in no unit
// is not known.
func wavelength(name string, notes ...pam.Metadata) float64 {
	for _, note := range notes {
		if v, ok := finite(note["IMAGERY"]["CENTRAL_WAVELENGTH_UM"]); ok {
			return plausible(v * nanometresOf("um"))
		}
	}
	for _, note := range notes {
		if v, ok := finite(note[""]["wavelength"]); ok {
			return plausible(v * nanometresOf(note[""]["wavelength_units"]))
		}
	}
	return namedWavelength(name)
}

// namedWavelength is the only length in a name that light has, as in "red (665 nm)".
func namedWavelength(name string) (found float64) {
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" \t,;:()[]=_", r) })
	for i, word := range words {
		number := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµμ")
		unit := word[len(number):]
		if unit == "" && i+1 < len(words) {
			unit = words[i+1]
		}
		v, ok := finite(number)
		if length := plausible(v * nanometresOf(unit)); ok && length != 0 {
			if found != 0 {
				return 0
			}
			found = length
		}
	}
	return found
}

// plausible is a wavelength that a picture may be taken in, from ultraviolet to heat,
// or 0.
func plausible(nanometres float64) float64 {
	const least, most = 100, 50_000
	if nanometres >= least && nanometres <= most {
		return nanometres
	}
	return 0
}

// nanometresOf is how many nanometres a unit has, or 0.
func nanometresOf(unit string) float64 {
	switch strings.ToLower(strings.TrimSpace(unit)) {
	case "nm", "nanometer", "nanometers", "nanometre", "nanometres":
		return 1
	case "um", "µm", "μm", "micrometer", "micrometers", "micrometre", "micrometres", "micron", "microns":
		return 1000
	}
	return 0
}
