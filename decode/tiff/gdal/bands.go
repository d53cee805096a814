package gdal

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tileserver/decode/pam"
	"tileserver/raster"
)

// storedStatistics returns the statistics that GDAL has stored for a band, or nil. It takes them
// from the last of notes that has all four numbers.
func storedStatistics(notes ...pam.Metadata) *raster.StoredStatistics {
	var stored *raster.StoredStatistics
	for _, note := range notes {
		items := note[""]
		low, lowOK := parseFinite(items["STATISTICS_MINIMUM"])
		high, highOK := parseFinite(items["STATISTICS_MAXIMUM"])
		mean, meanOK := parseFinite(items["STATISTICS_MEAN"])
		deviation, deviationOK := parseFinite(items["STATISTICS_STDDEV"])
		if lowOK && highOK && meanOK && deviationOK && low <= high && deviation >= 0 {
			stored = &raster.StoredStatistics{Min: low, Max: high, Mean: mean, StdDev: deviation}
		}
	}
	return stored
}

// categoryNames returns categories, or nil if all of them are empty: samples without category names
// are quantities.
func categoryNames(categories []string) []string {
	if slices.ContainsFunc(categories, func(name string) bool { return name != "" }) {
		return categories
	}
	return nil
}

// parseFinite parses a finite number.
func parseFinite(text string) (float64, bool) {
	if text == "" {
		return 0, false // the common case; skips the cost of building an error
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// wavelength returns the central wavelength of a band in nanometers, or 0 if it is unknown. It
// looks for GDAL's IMAGERY metadata first, then for ENVI's items, then at the band's name. A number
// without a unit does not count.
func wavelength(name string, notes ...pam.Metadata) float64 {
	for _, note := range notes {
		if v, ok := parseFinite(note["IMAGERY"]["CENTRAL_WAVELENGTH_UM"]); ok {
			return plausibleWavelength(v * nanometersPer("um"))
		}
	}
	for _, note := range notes {
		if v, ok := parseFinite(note[""]["wavelength"]); ok {
			return plausibleWavelength(v * nanometersPer(note[""]["wavelength_units"]))
		}
	}
	return namedWavelength(name)
}

// namedWavelength returns the wavelength in a band's name, as in "red (665 nm)". It returns 0 if
// the name has none or several.
func namedWavelength(name string) (found float64) {
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" \t,;:()[]=_", r) })
	for i, word := range words {
		number := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµμ")
		unit := word[len(number):]
		if unit == "" && i+1 < len(words) {
			unit = words[i+1]
		}
		v, ok := parseFinite(number)
		if length := plausibleWavelength(v * nanometersPer(unit)); ok && length != 0 {
			if found != 0 {
				return 0
			}
			found = length
		}
	}
	return found
}

// plausibleWavelength returns its argument if sensors exist for that wavelength, from ultraviolet
// to thermal infrared, and 0 otherwise.
func plausibleWavelength(nanometers float64) float64 {
	const minNanometers, maxNanometers = 100, 50_000
	if nanometers >= minNanometers && nanometers <= maxNanometers {
		return nanometers
	}
	return 0
}

// nanometersPer returns the number of nanometers in a unit, or 0 if the unit is unknown.
func nanometersPer(unit string) float64 {
	switch strings.ToLower(strings.TrimSpace(unit)) {
	case "nm", "nanometer", "nanometers", "nanometre", "nanometres":
		return 1
	case "um", "µm", "μm", "micrometer", "micrometers", "micrometre", "micrometres", "micron", "microns":
		return 1000
	}
	return 0
}
