package display_test

import (
	"encoding/json"
	"testing"

	"tileserver/display"
	"tileserver/display/colormap"
	"tileserver/display/expression"
	"tileserver/display/statistics"
	"tileserver/display/terrain"
	"tileserver/raster"
)

// expressionOf parses an expression.
func expressionOf(t testing.TB, text string) *expression.Source {
	t.Helper()
	parsed, err := expression.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// bands returns a dataset with the given bands.
func bands(of raster.DataType, all ...raster.Band) *raster.Info {
	return &raster.Info{Type: of, Bands: all, Levels: []raster.Level{{Width: 7, Height: 5, BlockWidth: 7, BlockHeight: 5}}}
}

func many(n int) *raster.Info { return bands(raster.Uint16, make([]raster.Band, n)...) }

func TestSummary(t *testing.T) {
	named := func(names ...string) (all []raster.Band) {
		for _, name := range names {
			all = append(all, raster.Band{Name: name})
		}
		return all
	}
	palette := bands(raster.Uint8, raster.Band{Color: raster.PaletteIndex})
	palette.Palette = []raster.RGBA{{R: 1, A: 255}, {G: 2, A: 255}}
	spread := bands(raster.Uint8, raster.Band{Color: raster.Gray})
	spread.Spread = 17 // samples of four bits
	classes, err := colormap.New(colormap.Categories, []colormap.Entry{{Low: 1, Color: colormap.Color{R: 9, A: 255}}})
	if err != nil {
		t.Fatal(err)
	}
	hillshade := terrain.DefaultParameters(terrain.ModeHillshade)
	code := terrain.DefaultParameters(terrain.ModeTerrarium)
	relief := terrain.DefaultParameters(terrain.ModeRelief)
	tests := []struct {
		name string
		info *raster.Info
		spec display.Spec
		want string
	}{
		{"encoded heights", bands(raster.Float32, raster.Band{}), display.Spec{Relief: &code}, `{"mode":"terrain","bidx":[1],"algorithm":"terrarium","stretch":"none","rescale":null}`},
		{"a shaded relief", bands(raster.Float32, raster.Band{}), display.Spec{Relief: &relief},
			`{"mode":"terrain","bidx":[1],"algorithm":"relief","algorithm_params":{"angle_altitude":45,"azimuth":315,"z_exaggeration":1},"stretch":"dra","rescale":null,"colormap_name":"hypsometric"}`},
		{"names", bands(raster.Uint16, named("blue", "green", "red", "nir")...), display.Spec{}, `{"mode":"rgb","bidx":[3,2,1],"stretch":"dra","rescale":null}`},
		{"wavelengths", bands(raster.Uint16, raster.Band{Wavelength: 842}, raster.Band{Wavelength: 490}, raster.Band{Wavelength: 560}, raster.Band{Wavelength: 665}), display.Spec{},
			`{"mode":"rgb","bidx":[4,3,2],"stretch":"dra","rescale":null}`},
		{"colors and opacity", bands(raster.Uint8, raster.Band{Color: raster.Alpha}, raster.Band{Color: raster.Blue}, raster.Band{Color: raster.Green}, raster.Band{Color: raster.Red}), display.Spec{},
			`{"mode":"rgb","bidx":[4,3,2],"opacity":1,"stretch":"none","rescale":[[0,255],[0,255],[0,255]]}`},
		{"a palette", palette, display.Spec{}, `{"mode":"palette","bidx":[1],"stretch":"none","rescale":null}`},
		{"indices of a palette", palette, display.Spec{ColorMap: "Viridis"}, `{"mode":"colormap","bidx":[1],"stretch":"none","rescale":[[0,255]],"colormap_name":"viridis"}`},
		{"257 bands", many(257), display.Spec{}, `{"mode":"rgb","bidx":[1,2,3],"stretch":"dra","rescale":null}`},
		{"the last of 257", many(257), display.Spec{Bands: []int{256}}, `{"mode":"gray","bidx":[257],"stretch":"dra","rescale":null}`},
		{"two bands", many(2), display.Spec{}, `{"mode":"gray","bidx":[1],"stretch":"dra","rescale":null}`},
		{"few bits", spread, display.Spec{Rescale: []display.Range{{Low: 1, High: 10}}}, `{"mode":"gray","bidx":[1],"stretch":"none","rescale":[[1,10]]}`},
		{"classes", many(1), display.Spec{Colors: classes}, `{"mode":"classes","bidx":[1],"stretch":"none","rescale":null}`},
		{"an expression", many(4), display.Spec{Expression: expressionOf(t, "(b4-b3)/(b4+b3)"), Stretch: display.Stretch{Kind: display.MinMax}},
			`{"mode":"gray","expression":"(b4-b3)/(b4+b3)","stretch":"minmax","rescale":null}`},
		{"a hillshade", bands(raster.Float32, raster.Band{}), display.Spec{Relief: &hillshade}, `{"mode":"terrain","bidx":[1],"algorithm":"hillshade","algorithm_params":{"angle_altitude":45,"azimuth":315,"z_exaggeration":1},"stretch":"none","rescale":[[0,255]]}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := summaryText(t, test.info, test.spec, nil); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestSummaryHasRangesWithStatistics(t *testing.T) {
	known := &statistics.Dataset{Bands: []statistics.Band{{Band: 0, Count: 9, Min: 3, Max: 90}, {Band: 1, Count: 9, Min: -4, Max: 7}, {Band: 2, Count: 9, Min: 0, Max: 1}}}
	spec := display.Spec{Bands: []int{2, 0, 1}, Stretch: display.Stretch{Kind: display.MinMax}}
	want := `{"mode":"rgb","bidx":[3,1,2],"stretch":"minmax","rescale":[[0,1],[3,90],[-4,7]]}`
	if got := summaryText(t, many(3), spec, known); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	spec.Bands = []int{2, 0, 3}
	if got, want := summaryText(t, many(4), spec, known), `{"mode":"rgb","bidx":[3,1,4],"stretch":"minmax","rescale":null}`; got != want {
		t.Errorf("without the statistics of a band:\ngot  %s\nwant %s", got, want)
	}
}

func summaryText(t *testing.T, info *raster.Info, spec display.Spec, of *statistics.Dataset) string {
	t.Helper()
	resolved, err := spec.Resolve(info)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(resolved.Summary(of))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRoleOf(t *testing.T) {
	info := bands(raster.Uint8,
		raster.Band{Color: raster.Alpha}, raster.Band{Color: raster.Alpha}, raster.Band{Color: raster.Red}, raster.Band{Color: raster.Gray},
		raster.Band{Color: raster.PaletteIndex}, raster.Band{Categories: []string{"water", "land"}}, raster.Band{})
	want := []display.Role{display.RoleOpacity, display.RoleData, display.RoleColor, display.RoleGray, display.RolePalette, display.RoleClasses, display.RoleData}
	for band, role := range want {
		if got := display.RoleOf(info, band); got != role {
			t.Errorf("band %d is %s, want %s", band+1, got, role)
		}
	}
}
