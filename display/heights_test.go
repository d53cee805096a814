package display_test

import (
	"testing"

	"tileserver/display"
	"tileserver/raster"
)

func TestHasHeights(t *testing.T) {
	gray := raster.Band{Color: raster.Gray}
	in := func(unit string) raster.Band { return raster.Band{Unit: unit} }
	palette := bands(raster.Uint16, raster.Band{Color: raster.PaletteIndex})
	palette.Palette = []raster.RGBA{{A: 255}}
	scan := bands(raster.Uint16, gray)
	scan.Inverted = true
	radar := bands(raster.Float32, gray)
	radar.Magnitudes = true
	tests := []struct {
		name string
		info *raster.Info
		file string
		want bool
	}{
		{"floats", bands(raster.Float32, gray), "area", true},
		{"signed 16 bits", bands(raster.Int16, raster.Band{}), "area", true},
		{"unsigned 16 bits of a satellite", bands(raster.Uint16, gray), "scene", false},
		{"unsigned 16 bits by name", bands(raster.Uint16, gray), "srtm_38_03", true},
		{"a word within another", bands(raster.Uint16, gray), "demo", false},
		{"bytes, whatever their name", bands(raster.Uint8, gray), "dem", false},
		{"bytes in meters", bands(raster.Uint8, in("m")), "canopy", true},
		{"meters", bands(raster.Uint16, in("metre")), "scene", true},
		{"feet", bands(raster.Int16, in("US survey foot")), "ndvi", true},
		{"kelvin", bands(raster.Float32, in("K")), "dem", false},
		{"an index by its name", bands(raster.Float32, raster.Band{Name: "NDVI"}), "area", false},
		{"an index by the file's name", bands(raster.Float32, gray), "2024-06_ndvi", false},
		{"the slope of a model", bands(raster.Float32, gray), "dem-slope", false},
		{"a color by its name", bands(raster.Int16, raster.Band{Name: "Green"}), "area", false},
		{"a file named after a color", bands(raster.Int16, raster.Band{}), "green valley", true},
		{"a ratio", bands(raster.Float32, raster.Band{Stored: &raster.StoredStatistics{Min: -0.2, Max: 0.9}}), "area", false},
		{"a wavelength", bands(raster.Float32, raster.Band{Wavelength: 660}), "dem", false},
		{"with opacity", bands(raster.Int16, raster.Band{}, raster.Band{Color: raster.Alpha}), "dem", true},
		{"two bands", bands(raster.Float32, in("m"), in("m")), "dem", false},
		{"colors", bands(raster.Float32, raster.Band{Color: raster.Red}), "dem", false},
		{"a palette", palette, "dem", false},
		{"classes", bands(raster.Int16, raster.Band{Categories: []string{"water"}}), "dem", false},
		{"an inverted scan", scan, "dem", false},
		{"radar", radar, "dem", false},
		{"complex numbers", bands(raster.Complex64, gray), "dem", false},
	}
	for _, test := range tests {
		if got := display.HasHeights(test.info, test.file); got != test.want {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
}
