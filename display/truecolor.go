package display

import (
	"math"
	"slices"
	"strings"

	"tileserver/raster"
)

// What eyes take for red, green and blue, in nanometres, and how far from that a band may
// be for a picture that people take for a photograph.
const (
	redWavelength    = 660
	greenWavelength  = 532.5
	blueWavelength   = 472.5
	maxWavelengthOff = 50
)

// bandsByWavelength is the bands that are nearest to red, green and blue, three of them.
func bandsByWavelength(info *raster.Info) ([]int, bool) {
	var bands []int
	for _, wanted := range []float64{redWavelength, greenWavelength, blueWavelength} {
		nearest, off := -1, float64(maxWavelengthOff)
		for band := range info.Bands {
			w := info.Bands[band].Wavelength
			if d := math.Abs(w - wanted); w > 0 && d <= off && !slices.Contains(bands, band) {
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

// bandsByName is the bands that are called red, green and blue, or as Sentinel-2 numbers
// them. What "B4" is depends on the satellite; "B04" does not.
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
