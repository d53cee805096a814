package layer_test

import (
	"context"
	"slices"
	"testing"

	"tileserver/display"
	"tileserver/display/colormap"
	"tileserver/display/terrain"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

func TestMayBeTransparent(t *testing.T) {
	classes, err := colormap.New(colormap.Categories, []colormap.Entry{{Low: 1, High: 1, Color: colormap.Color{A: 255}}})
	if err != nil {
		t.Fatal(err)
	}
	heights := func(mode terrain.Mode) style.Style {
		parameters := terrain.DefaultParameters(mode)
		return style.Style{Spec: display.Spec{Relief: &parameters}}
	}
	zero := 0.0
	for _, test := range []struct {
		name  string
		image func(*raster.Info)
		style style.Style
		want  bool
	}{
		{"whole numbers", nil, style.Style{}, false},
		{"floats", func(i *raster.Info) { i.Type = raster.Float32 }, style.Style{}, true},
		{"with a mask", func(i *raster.Info) { i.Masked = true }, style.Style{}, true},
		{"without data", func(i *raster.Info) { i.Bands[0].HasNoData = true }, style.Style{}, true},
		{"without data in a band that is not shown", func(i *raster.Info) { i.Bands[1].HasNoData = true }, style.Style{}, false},
		{"nodata of the request", nil, style.Style{NoData: &zero}, true},
		{"opacity", func(i *raster.Info) { i.Bands[1].Color = raster.Alpha }, style.Style{}, true},
		{"a palette", func(i *raster.Info) { i.Palette = []raster.RGBA{{A: 255}, {R: 9, A: 255}} }, style.Style{}, false},
		{"a palette with a gap", func(i *raster.Info) { i.Palette = []raster.RGBA{{A: 255}, {}} }, style.Style{}, true},
		{"what is computed", nil, style.Style{Spec: display.Spec{Expression: expressionOf(t, "b1/b2")}}, true},
		{"classes", nil, style.Style{Spec: display.Spec{Colors: classes, Bands: []int{0}}}, true},
		{"a shaded relief", nil, heights(terrain.ModeHillshade), false},
		{"lines", nil, heights(terrain.ModeContours), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			info := rastertest.Flat(raster.Uint8, 90, 70, 2, 32, 32)
			info.Bands[0].Color = raster.Gray
			if test.image != nil {
				test.image(&info)
			}
			source := &rastertest.Synthetic{Name: "x@1", Has: info, Sample: func(int, int, int, int) (float64, bool) { return 1, true }}
			c := layer.NewCatalog(layer.CatalogConfig{})
			l := mustOpen(t, c, layer.Config{ID: "l", Open: func(context.Context) (*layer.Dataset, error) {
				return &layer.Dataset{Provider: source, Close: func() error { return nil }}, nil
			}})
			appearance, err := l.Appearance(test.style, layer.PNG)
			if err != nil {
				t.Fatal(err)
			}
			if got := appearance.MayBeTransparent(); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// Whether a layer can be shown is known without reading, and is what Prepare says of every picture.
func TestCanShow(t *testing.T) {
	source := gradient()
	c := newCatalog(t, source, nil)
	l := c.Layers()[0]
	parameters := terrain.DefaultParameters(terrain.ModeTerrarium)
	for _, test := range []struct {
		name    string
		style   style.Style
		formats []layer.Format // that can show it
	}{
		{"colors", style.Style{}, []layer.Format{layer.PNG, layer.JPEG, layer.WebP, layer.AutoJPEG, layer.AutoWebP, layer.NPY, layer.GeoTIFF}},
		{"a band that is missing", bandsOf(7), nil},
		{"numbers as colors", style.Style{Spec: display.Spec{Relief: &parameters, Bands: []int{0}}}, []layer.Format{layer.PNG, layer.WebP, layer.AutoJPEG, layer.AutoWebP}},
		{"16 bits", style.Style{Spec: display.Spec{Deep: true}}, []layer.Format{layer.PNG, layer.AutoJPEG, layer.AutoWebP}},
	} {
		for f := layer.PNG; f <= layer.GeoTIFF; f++ {
			got := l.CanShow(test.style, f)
			if want := slices.Contains(test.formats, f); got != want && !f.IsData() {
				t.Errorf("%s as %v: got %v", test.name, f, got)
			}
			_, err := prepare(c, layer.Request{Area: areas.Preview{MaxSize: 9}, Style: test.style, Format: f})
			if got != (err == nil) {
				t.Errorf("%s as %v: got %v, and Prepare says %v", test.name, f, got, err)
			}
		}
	}
	if source.Calls() != 0 {
		t.Errorf("%d calls", source.Calls())
	}
}
