package main

import (
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// photometric returns TIFF's photometric interpretation tag.
func photometric(of uint16) tifftest.Tag { return tifftest.Tag{ID: 262, Value: []uint16{of}} }

const (
	photometricMinIsWhite = 0
	photometricMinIsBlack = 1
	photometricRGB        = 2
)

func TestInfoReportsDrawnBands(t *testing.T) {
	gdalNames := tifftest.Tag{ID: 42112, Value: `<GDALMetadata><Item name="DESCRIPTION" sample="0" role="description">blue</Item>` +
		`<Item name="DESCRIPTION" sample="1" role="description">green</Item><Item name="DESCRIPTION" sample="2" role="description">red</Item>` +
		`<Item name="DESCRIPTION" sample="3" role="description">nir</Item></GDALMetadata>`}
	unspecified := tifftest.Tag{ID: 338, Value: []uint16{0, 0, 0}}
	for _, test := range []struct {
		name  string
		image tifftest.Image
		want  string
		json  string
	}{
		{"bands by their names", tifftest.Image{Samples: 4, Bits: 16, Tags: []tifftest.Tag{photometric(photometricMinIsBlack), unspecified, gdalNames}},
			"bands 3 (red), 2 (green), 1 (blue) as red, green and blue, stretched by its statistics (dra)", `"bidx":[3,2,1],"stretch":"dra"`},
		{"colors and opacity", tifftest.Image{Samples: 4, Tags: []tifftest.Tag{photometric(photometricRGB), {ID: 338, Value: []uint16{2}}}},
			"bands 1, 2, 3 as red, green and blue, opacity from band 4", `"bidx":[1,2,3],"opacity":4`},
		{"a scan", tifftest.Image{Bits: 1, Tags: []tifftest.Tag{photometric(photometricMinIsWhite)}}, "band 1 in gray", `"mode":"gray"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.image.Width, test.image.Height, test.image.Value = 33, 21, ramp
			path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{test.image}})
			text := mustRun(t, "info", path)
			if !strings.Contains(text, "\ndrawn         "+test.want+"\n") {
				t.Errorf("it does not say %q:\n%s", test.want, text)
			}
			if flat := strings.Join(strings.Fields(mustRun(t, "info", "--json", path)), ""); !strings.Contains(flat, test.json) {
				t.Errorf("the JSON does not say %s:\n%s", test.json, flat)
			}
		})
	}
}

func TestInfoReportsPlaceAndBands(t *testing.T) {
	text := mustRun(t, "info", writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{placed()}}))
	for _, want := range []string{"pixel size  ", "\nband 1        red\nband 2        green\nband 3        blue\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q: %s", want, text)
		}
	}
}
