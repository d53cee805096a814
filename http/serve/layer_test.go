package serve_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"tileserver/display"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

// uncounted counts nothing.
type uncounted struct{}

func (uncounted) CountPicture(string)       {}
func (uncounted) ObserveSteps([]serve.Step) {}

// evenLayer opens a layer "l" whose samples are all equal. Its default style and the style "warm"
// stretch them up to high.
func evenLayer(t *testing.T, c *layer.Catalog, name string, sample, high float64) *layer.Layer {
	t.Helper()
	own := style.Style{Spec: display.Spec{Rescale: []display.Range{{High: high}}}}
	warm := own
	warm.ColorMap = "inferno"
	l, err := c.Open(t.Context(), layer.Config{
		ID: "l", Style: own, Styles: []style.Named{{Name: "warm", Style: warm}},
		Open: func(context.Context) (*layer.Dataset, error) {
			source := &rastertest.Synthetic{
				Name: name, Has: rastertest.Flat(raster.Uint8, 90, 60, 1, 32, 32),
				Sample: func(_, _, _, _ int) (float64, bool) { return sample, true },
			}
			return &layer.Dataset{Provider: source, Close: func() error { return nil }}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func publish(t *testing.T, c *layer.Catalog, l *layer.Layer) {
	t.Helper()
	if err := c.Serve([]*layer.Layer{l}); err != nil {
		t.Fatal(err)
	}
}

// pictureOf returns the answer with a picture of a layer in a style.
func pictureOf(t *testing.T, s *serve.Server, l serve.Layer, named string) *httptest.ResponseRecorder {
	t.Helper()
	w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	p := request.With(url.Values{"style": {named}})
	asked := layer.Request{Area: areas.Preview{MaxSize: 90}, Format: layer.PNG}
	if err := s.SendPicture(answer.ExchangeOf(w), r, p, l, asked); err != nil {
		t.Fatal(err)
	}
	return w
}

func find(t *testing.T, s *serve.Server) serve.Layer {
	t.Helper()
	l, err := s.Layer(t.Context(), "l")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// If another layer takes the id between finding a layer and preparing its picture, the style, the
// ETag and the pixels are all of the layer that was found.
func TestAnswersAreAboutTheLayerThatWasFound(t *testing.T) {
	for _, named := range []string{"", "warm"} {
		catalog := layer.NewCatalog(layer.CatalogConfig{})
		s := serve.New(serve.Config{Catalog: catalog}, uncounted{})
		publish(t, catalog, evenLayer(t, catalog, "found", 30, 100))
		found := find(t, s)
		before := pictureOf(t, s, found, named)
		publish(t, catalog, evenLayer(t, catalog, "next", 60, 250))
		got, next := pictureOf(t, s, found, named), pictureOf(t, s, find(t, s), named)
		if tag := got.Header().Get("ETag"); tag == "" || tag != before.Header().Get("ETag") || got.Body.String() != before.Body.String() {
			t.Errorf("style %q: the ETag is %s, before that %s, or the picture is another", named, tag, before.Header().Get("ETag"))
		}
		if next.Header().Get("ETag") == before.Header().Get("ETag") || next.Body.String() == before.Body.String() {
			t.Errorf("style %q: the next layer has the picture of the one before", named)
		}
	}
}
