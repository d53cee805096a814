package http_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"tileserver/cache"
	"tileserver/display"
	"tileserver/geo"
	"tileserver/http/documents"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"

	tilehttp "tileserver/http"
)

// worldOf serves the given scenes only.
func worldOf(t testing.TB, change func(*tilehttp.Config), scenes ...scene) *world {
	t.Helper()
	shared := layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: layer.NewGate(2, 100)}
	w := &world{catalog: layer.NewCatalog(shared), documents: documents.NewCache(shared.Cache, shared.Gate), providers: make(map[string]*rastertest.Synthetic)}
	for _, s := range scenes {
		w.add(t, s)
	}
	config := tilehttp.Config{Config: serve.Config{Catalog: w.catalog, Documents: w.documents}}
	if change != nil {
		change(&config)
	}
	w.handler = tilehttp.NewHandler(config)
	return w
}

// scenesNamed returns some of the scenes of newWorld.
func scenesNamed(t testing.TB, ids ...string) []scene {
	t.Helper()
	var found []scene
	for _, id := range ids {
		for _, s := range scenes(t) {
			if s.config.ID == id {
				found = append(found, s)
			}
		}
	}
	if len(found) != len(ids) {
		t.Fatalf("of %v there are %d", ids, len(found))
	}
	return found
}

// flatScene is a layer of one color, possibly translucent, with ten pixels a degree.
func flatScene(id string, color raster.RGBA, bounds geo.Bounds) scene {
	width, height := int(bounds.Width()*10), int(bounds.Height()*10)
	info := rastertest.Flat(raster.Uint8, width, height, 4, 64, 64)
	for i, c := range []raster.Color{raster.Red, raster.Green, raster.Blue, raster.Alpha} {
		info.Bands[i].Color = c
	}
	samples := []uint8{color.R, color.G, color.B, color.A}
	provider := &rastertest.Synthetic{Name: id + "@1", Has: info, Sample: func(_, band, _, _ int) (float64, bool) {
		return float64(samples[band]), true
	}}
	affine := geo.Affine{A: 0.1, C: bounds.MinX, E: -0.1, F: bounds.MaxY}
	dim := style.Named{Name: "dim", Title: "Dim", Style: style.Style{Spec: display.Spec{
		Bands: []int{0, 1, 2}, Rescale: []display.Range{{Low: 0, High: 510}},
	}}}
	return scene{layer.Config{ID: id, Title: "Flat " + id, Attribution: "Nobody", Styles: []style.Named{dim}}, provider, geo.CRS84(), affine, nil}
}

// ogcRoot is the address of the API in tests.
const ogcRoot = "http://example.com/ogc"

// ask requests an address with an Accept header.
func (w *world) ask(address, accept string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, address, nil)
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	return w.do(r)
}

// ogcLink is a link of a document.
type ogcLink struct {
	Href, Rel, Type, Title string
	Templated              bool
}

// ogcLinks returns all links in a document.
func ogcLinks(t testing.TB, body []byte) []ogcLink {
	t.Helper()
	var document any
	if err := json.Unmarshal(body, &document); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	var found []ogcLink
	collectLinks(document, &found)
	return found
}

func collectLinks(value any, found *[]ogcLink) {
	switch value := value.(type) {
	case []any:
		for _, part := range value {
			collectLinks(part, found)
		}
	case map[string]any:
		if href, ok := value["href"].(string); ok {
			link := ogcLink{Href: href}
			link.Rel, _ = value["rel"].(string)
			link.Type, _ = value["type"].(string)
			link.Title, _ = value["title"].(string)
			link.Templated, _ = value["templated"].(bool)
			*found = append(*found, link)
		}
		for _, part := range value {
			collectLinks(part, found)
		}
	}
}

// linkTo returns the first link of a relation and a type.
func linkTo(t testing.TB, links []ogcLink, rel, mime string) ogcLink {
	t.Helper()
	for _, link := range links {
		if link.Rel == rel && link.Type == mime {
			return link
		}
	}
	t.Fatalf("there is no link %q of the type %q", rel, mime)
	return ogcLink{}
}

const (
	relMap          = "http://www.opengis.net/def/rel/ogc/1.0/map"
	relMapTileSets  = "http://www.opengis.net/def/rel/ogc/1.0/tilesets-map"
	relTilingScheme = "http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme"
)

// ogcTileSet is a tileset as clients parse it.
type ogcTileSet struct {
	Title, DataType, CRS, TileMatrixSetURI, Attribution string

	TileMatrixSetLimits []ogcLimit
	BoundingBox         struct {
		LowerLeft, UpperRight [2]float64
		CRS                   string
		OrderedAxes           []string
	}
	CenterPoint struct {
		Coordinates     [2]float64
		CRS, TileMatrix string
	}
	Links []ogcLink
}

type ogcLimit struct {
	TileMatrix                                     string
	MinTileRow, MaxTileRow, MinTileCol, MaxTileCol int
}

// ogcMatrix is a tile matrix as clients parse it.
type ogcMatrix struct {
	ID                                               string
	TileWidth, TileHeight, MatrixWidth, MatrixHeight int
}

// tileAddress expands a template.
func tileAddress(template, matrix string, row, col int) string {
	return strings.NewReplacer("{tileMatrix}", matrix, "{tileRow}", strconv.Itoa(row), "{tileCol}", strconv.Itoa(col)).Replace(template)
}
