package config

import (
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"tileserver/display/colormap"
	"tileserver/display/terrain"
	"tileserver/raster"
)

// A configured style equals the style of a request with the same parameters.
func TestStylesOfTheConfiguration(t *testing.T) {
	var named []NamedStyle
	err := yaml.Unmarshal([]byte(`
- {name: ndvi, title: Vegetation, expression: (b4-b3)/(b4+b3), rescale: ["-1,1"], colormap_name: rdylgn}
- {name: relief, algorithm: hillshade, algorithm_params: {azimuth: 300, angle_altitude: 30}}
- {name: classes, colormap: {1: "#ff0000", 2: [0, 255, 0, 128]}}
- {name: depths, colormap: [[0, "#ffffff"], [100, "#000080"]]}
- {name: photo, bidx: [3, 2, 1], color_formula: gamma RGB 1.2, background: "#102030"}
- {name: mixed, bands: [4, nir, "2"]}
`), &named)
	if err != nil {
		t.Fatal(err)
	}
	styles, err := ParseStyles(named, new(Config).At("styles"))
	if err != nil {
		t.Fatal(err)
	}
	if s := styles[0]; s.Title != "Vegetation" || s.Style.Expression.String() != "(b4-b3)/(b4+b3)" || s.Style.ColorMap != "rdylgn" || len(s.Style.Rescale) != 1 {
		t.Errorf("ndvi: %+v", s)
	}
	if r := styles[1].Style.Relief; r == nil || r.Mode != terrain.ModeHillshade || r.Light.Azimuth != 300 || r.Light.Altitude != 30 || styles[1].Title != "relief" {
		t.Errorf("relief: %+v", r)
	}
	if c := styles[2].Style.Colors; c == nil || c.Kind() != colormap.Categories || c.At(2) != (colormap.Color{G: 255, A: 128}) {
		t.Errorf("classes: %+v", c)
	}
	if c := styles[3].Style.Colors; c == nil || c.Kind() != colormap.Stops {
		t.Errorf("depths: %+v", c)
	}
	if s := styles[4].Style; len(s.Bands) != 3 || s.Formula == nil || s.Background != (raster.RGBA{R: 16, G: 32, B: 48, A: 255}) {
		t.Errorf("photo: %+v", s)
	}
	if s := styles[5].Style; !slices.Equal(s.BandNames, []string{"4", "nir", "2"}) {
		t.Errorf("mixed: %+v", s)
	}
}

func TestMistakesInStylesAreNamed(t *testing.T) {
	for text, says := range map[string]string{
		`[{name: a, expression: b1, bidx: [1]}]`:                "exclude each other",
		`[{name: b, colormap_name: viridis, colormap: {1: x}}]`: `styles[0]: colormap`,
		`[{name: c, algorithm: shade}]`:                         "hillshade",
		`[{name: d, background: reddish}]`:                      "background",
	} {
		var named []NamedStyle
		if err := yaml.Unmarshal([]byte(text), &named); err != nil {
			t.Fatal(err)
		}
		if _, err := ParseStyles(named, new(Config).At("styles")); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got the error %v, want one that says %q", text, err, says)
		}
	}
}
