package http_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"tileserver/cache"
	"tileserver/display"
	"tileserver/display/expression"
	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/http/documents"
	"tileserver/layer"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"

	tilehttp "tileserver/http"
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

// world is a catalog of synthetic layers with its handler.
type world struct {
	catalog   *layer.Catalog
	documents *documents.Cache
	handler   http.Handler
	providers map[string]*rastertest.Synthetic
}

// cornerTile is the tile of WebMercatorQuad whose upper left corner is that of the layers "map" and
// "height", at the level with their native resolution.
const cornerTile = "12/2200/1340"

// errSecret is an error whose text clients must not see.
var errSecret = errors.New("open /secret/scene.tif: input/output error")

// newWorld serves the layers map (3 bands in Web Mercator), height (floats with nodata), utm (in
// UTM), plain (without a position), styled (with a style of its own), broken and panicking. change
// may modify the configurations.
func newWorld(t testing.TB, change func(*layer.CatalogConfig, *tilehttp.Config)) *world {
	t.Helper()
	shared := layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: layer.NewGate(2, 100), Encoder: new(picture.Encoder)}
	var config tilehttp.Config
	if change != nil {
		change(&shared, &config)
	}
	w := &world{catalog: layer.NewCatalog(shared), documents: documents.NewCache(shared.Cache, shared.Gate), providers: make(map[string]*rastertest.Synthetic)}
	config.Catalog, config.Documents = w.catalog, w.documents
	for _, s := range scenes(t) {
		w.add(t, s)
	}
	w.handler = tilehttp.NewHandler(config)
	return w
}

func (w *world) add(t testing.TB, s scene) {
	t.Helper()
	w.providers[s.config.ID] = s.provider
	s.config.Open = func(context.Context) (*layer.Dataset, error) {
		d := &layer.Dataset{Provider: s.provider, CRS: s.crs, CRSError: s.place, Close: func() error { return nil }}
		var err error
		if s.crs != nil {
			d.Placement, err = geo.NewAffinePlacement(s.affine)
		}
		return d, err
	}
	if err := w.catalog.Add(context.Background(), s.config); err != nil {
		t.Fatal(err)
	}
}

// scene is a synthetic layer.
type scene struct {
	config   layer.Config
	provider *rastertest.Synthetic
	crs      *geo.CRS
	affine   geo.Affine
	place    error
}

func scenes(t testing.TB) []scene {
	quad := geo.WebMercatorQuad()
	corner, resolution := quad.Bounds(geo.TileID{Z: 12, X: 2200, Y: 1340}), quad.Matrices[12].Resolution
	onMap := geo.Affine{A: resolution, C: corner.MinX, E: -resolution, F: corner.MaxY}
	utm, err := geo.ByCode(32633)
	if err != nil {
		t.Fatal(err)
	}
	rgb := colors("map@1", 601, 499)
	swapped := style.Style{Resampling: resample.Nearest, Spec: display.Spec{
		Bands: []int{2, 1, 0}, Rescale: []display.Range{{Low: 0, High: 100}, {Low: 0, High: 200}, {Low: 50, High: 255}},
	}}
	return []scene{
		{layer.Config{ID: "map", Title: "A map"}, rgb, quad.CRS, onMap, nil},
		{layer.Config{ID: "height"}, heights(), quad.CRS, onMap, nil},
		{layer.Config{ID: "utm"}, colors("utm@1", 700, 300), utm, geo.Affine{A: 10, C: 500000, E: -10, F: 5300000}, nil},
		{layer.Config{ID: "plain"}, colors("plain@1", 601, 499), nil, geo.Affine{}, errors.New("no tie points")},
		{layer.Config{ID: "styled", Style: swapped}, colors("styled@1", 601, 499), quad.CRS, onMap, nil},
		{layer.Config{ID: "broken"}, failing("broken@1", func() error { return errSecret }), quad.CRS, onMap, nil},
		{layer.Config{ID: "panicking"}, failing("panicking@1", func() error { panic("a bug in /secret/code.go") }), quad.CRS, onMap, nil},
	}
}

func colors(name string, width, height int) *rastertest.Synthetic {
	info := rastertest.Flat(raster.Uint8, width, height, 3, 128, 64)
	for i, color := range []raster.Color{raster.Red, raster.Green, raster.Blue} {
		info.Bands[i].Color = color
	}
	return &rastertest.Synthetic{Name: name, Has: info, Sample: func(_, band, x, y int) (float64, bool) {
		return float64((x + 2*y + 50*band) % 256), true
	}}
}

func heights() *rastertest.Synthetic {
	info := rastertest.Flat(raster.Float32, 501, 399, 1, 128, 64)
	info.Bands[0] = raster.Band{Name: "height", Color: raster.Gray, NoData: -9999, HasNoData: true}
	return &rastertest.Synthetic{Name: "height@1", Has: info, Sample: func(_, _, x, y int) (float64, bool) {
		return float64(x) + float64(y)/4, x >= 10
	}}
}

func failing(name string, fail func() error) *rastertest.Synthetic {
	s := colors(name, 601, 499)
	s.Before = func(context.Context, int, []raster.BlockID, []int) error { return fail() }
	return s
}

// calls returns the number of reads of all layers.
func (w *world) calls() (calls int) {
	for _, p := range w.providers {
		calls += p.Calls()
	}
	return calls
}

func (w *world) get(t testing.TB, path string) *httptest.ResponseRecorder {
	t.Helper()
	return w.do(httptest.NewRequest(http.MethodGet, path, nil))
}

func (w *world) do(r *http.Request) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, r)
	return recorder
}

// errorOf returns the code and message of a JSON error.
func errorOf(t testing.TB, recorder *httptest.ResponseRecorder) (code, message string) {
	t.Helper()
	var body struct {
		Error struct{ Code, Message string }
	}
	decoder := json.NewDecoder(recorder.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		t.Fatalf("the error is not JSON: %v", err)
	}
	if got, want := recorder.Header().Get("Cache-Control"), "no-store"; got != want {
		t.Errorf("Cache-Control of an error is %q, want %q", got, want)
	}
	return body.Error.Code, body.Error.Message
}

func decodeJSON[T any](t testing.TB, recorder *httptest.ResponseRecorder) (v T) {
	t.Helper()
	if recorder.Code != http.StatusOK {
		t.Fatalf("status %d: %s", recorder.Code, recorder.Body)
	}
	if err := json.Unmarshal(recorder.Body.Bytes(), &v); err != nil {
		t.Fatalf("%v in %s", err, recorder.Body)
	}
	return v
}
