package display

import (
	"math"
	"slices"
	"strings"

	"tileserver/raster"
)

// The wavelengths of red, green and blue, in nanometers, and the maximum distance of a band from
// them for a natural-color picture.
const (
	redWavelength    = 660
	greenWavelength  = 532.5
	blueWavelength   = 472.5
	maxWavelengthOff = 50
)

// bandsByWavelength returns the bands nearest to red, green and blue.
func bandsByWavelength(info *raster.Info) ([]int, bool) {
	var bands []int
	for _, target := range []float64{redWavelength, greenWavelength, blueWavelength} {
		nearest, off := -1, float64(maxWavelengthOff)
		for band := range info.Bands {
			w := info.Bands[band].Wavelength
			if d := math.Abs(w - target); w > 0 && d <= off && !slices.Contains(bands, band) {
				nearest, off = band, d
			}
		}
		if nearest < 0 {
			return nil, false
		}
		bands = append(bands, nearest)
	}
	return bands, true
}

// bandsByName returns the bands named red, green and blue, or B04, B03 and B02 as Sentinel-2
// names them. "B4" is not accepted: its meaning depends on the satellite.
func bandsByName(info *raster.Info) ([]int, bool) {
	for _, names := range [][3]string{{"red", "green", "blue"}, {"b04", "b03", "b02"}} {
		bands := make([]int, len(names))
		for i, name := range names {
			bands[i] = slices.IndexFunc(info.Bands, func(b raster.Band) bool { return strings.EqualFold(strings.TrimSpace(b.Name), name) })
		}
		if !slices.Contains(bands, -1) {
			return bands, true
		}
	}
	return nil, false
}
