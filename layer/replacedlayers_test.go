package layer_test

import (
	"context"
	"testing"

	"tileserver/display"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

// evenConfig configures a layer "l" whose samples are all equal. Its default style stretches them
// up to high.
func evenConfig(t *testing.T, name string, sample, high float64) layer.Config {
	return layer.Config{
		ID: "l", Style: style.Style{Spec: display.Spec{ColorMap: "viridis", Rescale: []display.Range{{High: high}}}},
		Open: func(context.Context) (*layer.Dataset, error) {
			source := &rastertest.Synthetic{
				Name: name, Has: rastertest.Flat(raster.Uint8, 90, 60, 1, 32, 32),
				Sample: func(_, _, _, _ int) (float64, bool) { return sample, true },
			}
			closeFile := func() error { t.Errorf("the file of %s is closed", name); return nil }
			return &layer.Dataset{Provider: source, Close: closeFile}, nil
		},
	}
}

// answers are the answers to one of each question about a layer.
type answers struct {
	picture, pictureKey, stack, stackKey string
	point, mean, legendHigh              float64
}

func answersOf(t *testing.T, c *layer.Catalog, l *layer.Layer) answers {
	t.Helper()
	own, err := l.Style("")
	if err != nil {
		t.Fatal(err)
	}
	whole := layer.Request{Layer: l, Area: areas.Preview{MaxSize: 90}, Style: own}
	p := mustPicture(t, c, whole)
	stack := mustStackPicture(t, c, layer.StackRequest{Layers: []layer.Request{whole, whole}, Width: 90, Height: 60})
	point, err := c.Point(t.Context(), l, style.Style{}, nil, geo.Point{X: 5, Y: 5})
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Statistics(t.Context(), l, style.Style{})
	if err != nil {
		t.Fatal(err)
	}
	legend, err := c.Legend(t.Context(), l, own)
	if err != nil {
		t.Fatal(err)
	}
	return answers{string(p.Bytes), p.Key, string(stack.Bytes), stack.Key, point.Bands[0].Value, s.Bands[0].Mean, legend.High}
}

// A request that has found its layer is answered about that one, even if another one takes its id
// before anything is prepared.
func TestReplacedLayersStillAnswer(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{})
	found := mustOpen(t, c, evenConfig(t, "found", 30, 100))
	mustServe(t, c, found)
	before := answersOf(t, c, found)
	next := mustOpen(t, c, evenConfig(t, "next", 60, 250))
	mustServe(t, c, next)
	if served := layerOf(t, c, "l"); served != next {
		t.Fatal("the layer was not replaced")
	}
	if got := answersOf(t, c, found); got != before || got.point != 30 || got.mean != 30 || got.legendHigh != 100 {
		t.Errorf("the replaced layer answers %+v, before that %+v", got, before)
	}
	if got := answersOf(t, c, next); got.picture == before.picture || got.pictureKey == before.pictureKey || got.stackKey == before.stackKey || got.point != 60 {
		t.Errorf("the next layer answers %+v, the one before %+v", got, before)
	}
}
