package layer_test

import (
	"bytes"
	"context"
	"image"
	_ "image/png"
	"testing"

	"tileserver/display"
	"tileserver/display/colormap"
	"tileserver/display/expression"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
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

// classes returns samples of 1 and 3 in a fine pattern, around some of 7.
func classes() *rastertest.Synthetic {
	return &rastertest.Synthetic{Name: "classes@1", Has: rastertest.Flat(raster.Uint8, 200, 160, 1, 64, 64),
		Sample: func(_, _, x, y int) (float64, bool) {
			if x < 20 {
				return 7, true
			}
			return float64(1 + 2*((x/3+y/5)%2)), true
		}}
}

func colorsOf(t *testing.T, text string) *colormap.Map {
	t.Helper()
	m, err := colormap.ParseJSON([]byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// No pixel has the color of a class between two neighboring classes.
func TestClassesAreNotMixed(t *testing.T) {
	colored := style.Style{Spec: display.Spec{Colors: colorsOf(t, `{"1":"#ff0000","2":"#00ff00","3":"#0000ff","7":"#ffffff"}`)}}
	named := classes()
	named.Has.Bands[0].Categories = []string{"", "one", "two", "three"}
	gray := style.Style{Spec: display.Spec{Rescale: []display.Range{{Low: 0, High: 255}}}}
	for name, test := range map[string]struct {
		source *rastertest.Synthetic
		style  style.Style
	}{"own colors": {classes(), colored}, "names in the file": {named, gray}} {
		c := newCatalog(t, test.source, nil)
		p := mustPicture(t, c, layer.Request{Area: areas.Preview{MaxSize: 70}, Style: test.style})
		img, _, err := image.Decode(bytes.NewReader(p.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				r, g, b, _ := img.At(x, y).RGBA()
				isGreen, isTwo := g > r && g > b, r>>8 == 2
				if isGreen || isTwo {
					t.Fatalf("%s: pixel %d,%d is of class 2", name, x, y)
				}
			}
		}
	}
}

// A named style inherits nodata and resampling from the layer, but no colors.
func TestStylesInheritNodataAndResampling(t *testing.T) {
	seven := 7.0
	ramp := style.Named{Name: "ramp", Style: style.Style{Spec: display.Spec{ColorMap: "viridis", Rescale: []display.Range{{Low: 0, High: 3}}}}}
	other := style.Named{Name: "other", Style: style.Style{Resampling: resample.Cubic}}
	none := style.Named{Name: "none", Style: style.Style{Spec: display.Spec{Bands: []int{5}}}}
	c := layer.NewCatalog(layer.CatalogConfig{})
	err := c.Add(t.Context(), layer.Config{
		ID: "l", Style: style.Style{NoData: &seven, Resampling: resample.Nearest}, Styles: []style.Named{ramp}, Shared: []style.Named{ramp, other, none},
		Open: func(context.Context) (*layer.Dataset, error) {
			return &layer.Dataset{Provider: classes(), Close: func() error { return nil }}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	l, err := c.Layer("l")
	if err != nil {
		t.Fatal(err)
	}
	if styles := l.Styles(); len(styles) != 3 {
		t.Fatalf("there are %d styles, want the default one, ramp and other", len(styles))
	}
	for name, resampling := range map[string]resample.Method{"ramp": resample.Nearest, "other": resample.Cubic} {
		style, err := l.Style(name)
		if err != nil || style.NoData == nil || *style.NoData != 7 || style.Resampling != resampling {
			t.Errorf("%s: %+v, %v", name, style, err)
		}
	}
	if _, err := l.Style("none"); codeOf(err) != layer.Invalid {
		t.Errorf("a style that the layer cannot be shown in: %v", err)
	}
}

// Statistics of computed values keep the band numbers.
func TestStatisticsOfValuesKeepTheirBands(t *testing.T) {
	source := gradient()
	for i := range source.Has.Bands {
		source.Has.Bands[i].Scale = 2
	}
	c := newCatalog(t, source, nil)
	s, err := c.Statistics(t.Context(), layerOf(t, c, "l"), style.Style{Spec: display.Spec{Bands: []int{2, 0}, Unscale: true}})
	if err != nil || len(s.Bands) != 2 || s.Bands[0].Band != 2 || s.Bands[1].Band != 0 || s.Bands[1].Max != 498 {
		t.Errorf("got %+v, %v", s, err)
	}
}

// Pictures that would take too long to compute are rejected before any pixel is read.
func TestCostlyExpressionsAreRejected(t *testing.T) {
	source := gradient()
	c := newCatalog(t, source, nil)
	text := "sin(b1)"
	for range 15 {
		text += "+sin(b1)**1.5"
	}
	r := layer.Request{Area: areas.Preview{MaxSize: 2048}, Style: style.Style{Spec: display.Spec{Expression: expressionOf(t, text+"+sin(b1*2)**2.5+sin(b1*3)**3.7+cos(b1)**4.1")}}}
	if _, err := prepare(c, r); err != nil {
		t.Errorf("a preview: %v", err)
	}
	r.Area = areas.Box{Bounds: geo.Bounds{MaxX: 3000, MaxY: 2000}, Width: 4000, Height: 4000}
	if _, err := prepare(c, r); codeOf(err) != layer.TooLarge || source.Calls() != 0 {
		t.Errorf("sixteen million pixels: %v", err)
	}
}
