package http_test

import (
	"encoding/json"
	"fmt"
	"image"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"tileserver/geo"
	tilehttp "tileserver/http"
	"tileserver/raster"
)

// ogcWorld has what is on the earth, in several systems, and what is not.
func ogcWorld(t testing.TB) *world {
	t.Helper()
	some := scenesNamed(t, "map", "height", "utm", "plain")
	return worldOf(t, nil, append(some, flatScene("flat", raster.RGBA{R: 200, A: 255}, geo.Bounds{MinX: 2, MinY: 40, MaxX: 22, MaxY: 50}))...)
}

// The table of the suite ets-ogcapi-tiles10, row by row.
func TestLandingPageLeadsToTileSets(t *testing.T) {
	w := ogcWorld(t)
	for _, path := range []string{ogcRoot, ogcRoot + "/"} {
		got := w.ask(path, "application/json")
		if got.Code != http.StatusOK || got.Header().Get("Content-Type") != "application/json" {
			t.Fatalf("%s is %d, %s", path, got.Code, got.Header().Get("Content-Type"))
		}
		count := 0
		for _, link := range ogcLinks(t, got.Body.Bytes()) {
			if !strings.HasPrefix(link.Rel, "http://www.opengis.net/def/rel/ogc/1.0/tilesets-") {
				continue
			}
			count++
			if !strings.Contains(link.Href, "/tiles") || !strings.Contains(link.Href, "f=json") {
				t.Errorf("%s leads to %s", link.Rel, link.Href)
			}
			checkTileSetsList(t, w, link.Href)
		}
		if count == 0 {
			t.Errorf("%s leads to no tilesets", path)
		}
	}
}

// checkTileSetsList looks at a list of tilesets and at all that are on it.
func checkTileSetsList(t *testing.T, w *world, address string) {
	t.Helper()
	list := decodeJSON[struct {
		TileSets []struct {
			Title, DataType, CRS, TileMatrixSetURI string
			Links                                  []ogcLink
		}
	}](t, w.ask(address, "application/json"))
	if len(list.TileSets) == 0 {
		t.Errorf("%s has no tilesets", address)
	}
	for _, item := range list.TileSets {
		if item.TileMatrixSetURI == "" || item.CRS == "" || item.DataType != "map" {
			t.Errorf("%s: a tileset is %+v", address, item)
		}
		checkTileSet(t, w, linkTo(t, item.Links, "self", "application/json").Href, item.TileMatrixSetURI)
		linkTo(t, item.Links, relTilingScheme, "application/json")
	}
}

func checkTileSet(t *testing.T, w *world, address, uri string) {
	t.Helper()
	set := decodeJSON[ogcTileSet](t, w.ask(address, ""))
	if set.TileMatrixSetURI != uri || set.DataType != "map" || len(set.TileMatrixSetLimits) == 0 || set.CRS != set.BoundingBox.CRS {
		t.Fatalf("%s is %+v", address, set)
	}
	definition := decodeJSON[struct {
		ID, CRS      string
		OrderedAxes  []string
		TileMatrices []ogcMatrix
	}](t, w.ask(linkTo(t, set.Links, relTilingScheme, "application/json").Href, ""))
	if definition.CRS != set.CRS || len(definition.OrderedAxes) != 2 || !strings.Contains(address, "/tiles/"+definition.ID+"?") {
		t.Errorf("%s is in a set of %s, %v", address, definition.CRS, definition.OrderedAxes)
	}
	if registered, ok := geo.TileMatrixSetByID(definition.ID); ok && registered.URI != uri {
		t.Errorf("%s is called %s, want %s", definition.ID, uri, registered.URI)
	}
	for _, mime := range []string{"image/png", "image/jpeg", "image/webp"} {
		item := linkTo(t, set.Links, "item", mime)
		for _, name := range []string{"{tileMatrix}", "{tileRow}", "{tileCol}", "/tiles/" + definition.ID + "/"} {
			if !item.Templated || !strings.Contains(item.Href, name) {
				t.Errorf("%s: the template %s lacks %s", address, item.Href, name)
			}
		}
	}
	template := linkTo(t, set.Links, "item", "image/png").Href
	for _, l := range set.TileMatrixSetLimits {
		at := slices.IndexFunc(definition.TileMatrices, func(m ogcMatrix) bool { return m.ID == l.TileMatrix })
		if at < 0 {
			t.Fatalf("%s has limits of no matrix %q", address, l.TileMatrix)
		}
		m := definition.TileMatrices[at]
		if l.MinTileRow < 0 || l.MinTileCol < 0 || l.MinTileRow > l.MaxTileRow || l.MinTileCol > l.MaxTileCol || l.MaxTileRow >= m.MatrixHeight || l.MaxTileCol >= m.MatrixWidth {
			t.Errorf("%s has the limits %+v", address, l)
		}
		checkTiles(t, w, template, l, m.TileWidth, m.TileHeight)
	}
}

// checkTiles looks at the corners of limits, and outside them.
func checkTiles(t *testing.T, w *world, template string, l ogcLimit, width, height int) {
	t.Helper()
	for _, place := range [][2]int{{l.MinTileRow, l.MinTileCol}, {l.MaxTileRow, l.MaxTileCol}} {
		address := tileAddress(template, l.TileMatrix, place[0], place[1])
		got := w.ask(address, "")
		if got.Code != http.StatusOK || got.Header().Get("Content-Type") != "image/png" {
			t.Fatalf("%s is %d, %s", address, got.Code, got.Body)
		}
		if img, _ := decodeImage(t, got); img.Bounds() != image.Rect(0, 0, width, height) {
			t.Errorf("%s is of %v, want %dx%d", address, img.Bounds(), width, height)
		}
	}
	for _, place := range [][2]int{
		{l.MaxTileRow + 1, l.MinTileCol}, {l.MinTileRow, l.MaxTileCol + 1}, {math.MaxInt32, math.MaxInt32}, {math.MaxInt32, l.MinTileCol}, {-1, l.MinTileCol},
	} {
		if got := w.ask(tileAddress(template, l.TileMatrix, place[0], place[1]), ""); got.Code != http.StatusNotFound {
			t.Errorf("out of the limits, %v of %s is %d", place, l.TileMatrix, got.Code)
		}
	}
}

func TestCollectionsLeadToTileSets(t *testing.T) {
	w := ogcWorld(t)
	list := decodeJSON[struct {
		NumberMatched int
		Collections   []struct {
			ID, Title, Attribution string
			CRS                    []string
			Extent                 struct {
				Spatial struct {
					BBox [][]float64
					CRS  string
				}
			}
			Links []ogcLink
		}
	}](t, w.ask(ogcRoot+"/collections", "application/json"))
	if list.NumberMatched != 4 || len(list.Collections) != 4 {
		t.Fatalf("there are %d collections, want those 4 that have a place", list.NumberMatched)
	}
	for _, c := range list.Collections {
		if len(c.Extent.Spatial.BBox) != 1 || len(c.Extent.Spatial.BBox[0]) != 4 || len(c.CRS) < 3 || c.CRS[0] != "http://www.opengis.net/def/crs/OGC/1.3/CRS84" {
			t.Errorf("%s is %+v", c.ID, c)
		}
		link := linkTo(t, c.Links, relMapTileSets, "application/json")
		if !strings.Contains(link.Href, "/collections/"+c.ID+"/map/tiles?f=json") {
			t.Errorf("%s has its tiles at %s", c.ID, link.Href)
		}
		checkTileSetsList(t, w, link.Href)
	}
	if utm := list.Collections[2]; !slices.Contains(utm.CRS, "http://www.opengis.net/def/crs/EPSG/0/32633") {
		t.Errorf("%s is to be had in %v", utm.ID, utm.CRS)
	}
}

func TestConformance(t *testing.T) {
	got := decodeJSON[struct{ ConformsTo []string }](t, ogcWorld(t).ask(ogcRoot+"/conformance", ""))
	for _, class := range []string{
		"ogcapi-common-1/1.0/conf/core", "ogcapi-common-1/1.0/conf/html", "ogcapi-common-1/1.0/conf/oas30", "ogcapi-common-2/1.0/conf/collections",
		"ogcapi-tiles-1/1.0/conf/core", "ogcapi-tiles-1/1.0/conf/tilesets-list", "ogcapi-tiles-1/1.0/conf/dataset-tilesets",
		"ogcapi-tiles-1/1.0/conf/geodata-tilesets", "ogcapi-tiles-1/1.0/conf/collections-selection", "ogcapi-maps-1/1.0/conf/core",
	} {
		if !slices.Contains(got.ConformsTo, "http://www.opengis.net/spec/"+class) {
			t.Errorf("%s is not among what is kept to", class)
		}
	}
}

func TestNegotiation(t *testing.T) {
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
	tile := "/collections/flat/map/tiles/WorldCRS84Quad/0/0/1"
	tests := []struct {
		path, accept string
		mime         string
		vary         bool
	}{
		{"/", "", "application/json", true},
		{"/", "*/*", "application/json", true},
		{"/", browser, "text/html; charset=utf-8", true},
		{"/?f=json", browser, "application/json", false},
		{"/?f=html", "application/json", "text/html; charset=utf-8", false},
		{"/api", "", "application/vnd.oai.openapi+json;version=3.0", true},
		{"/api?f=json", browser, "application/vnd.oai.openapi+json;version=3.0", false},
		{"/api", browser, "text/html; charset=utf-8", true},
		{"/collections/flat", "application/json", "application/json", true},
		{tile, "", "image/png", true},
		{tile, "image/jpeg", "image/jpeg", true},
		{tile, browser, "image/webp", true},
		{tile + "?f=png", browser, "image/png", false},
		{tile + "?f=jpeg", "", "image/jpeg", false},
		{tile + "?f=webp", "", "image/webp", false},
		{"/map?f=jpg&width=50", browser, "image/jpeg", false},
	}
	w := ogcWorld(t)
	for _, test := range tests {
		t.Run(test.path+" "+test.accept, func(t *testing.T) {
			got := w.ask(ogcRoot+test.path, test.accept)
			if got.Code != http.StatusOK || got.Header().Get("Content-Type") != test.mime {
				t.Errorf("got %d, %s, want %s", got.Code, got.Header().Get("Content-Type"), test.mime)
			}
			if vary := slices.Contains(got.Header().Values("Vary"), "Accept"); vary != test.vary {
				t.Errorf("Vary is %q", got.Header().Values("Vary"))
			}
			if isPage := strings.HasPrefix(test.mime, "text/html"); isPage && !strings.Contains(got.Header().Get("Content-Security-Policy"), "default-src 'none'") {
				t.Error("a page may load what it likes")
			}
		})
	}
}

func TestProblems(t *testing.T) {
	tests := []struct {
		name, path, accept string
		status             int
		detail             string // a part of it
	}{
		{"nothing", "/nothing", "", 404, "nothing at this address"},
		{"below a collection", "/collections/flat/nothing", "", 404, "nothing at this address"},
		{"no such collection", "/collections/nope", "", 404, `"nope"`},
		{"a layer without a place", "/collections/plain", "", 404, "no known place"},
		{"tiles of none", "/collections/nope/map/tiles", "", 404, `"nope"`},
		{"no such style", "/collections/flat/styles/loud", "", 404, `"loud"`},
		{"tiles in no such style", "/collections/flat/styles/loud/map/tiles", "", 404, `"loud"`},
		{"a map in no such style", "/collections/flat/styles/loud/map", "", 404, `"loud"`},
		{"no such set", "/tileMatrixSets/Moon", "", 404, `"Moon"`},
		{"a tileset in no such set", "/collections/flat/map/tiles/Moon", "", 404, `"Moon"`},
		{"a tileset in the image's own pixels", "/collections/flat/map/tiles/image", "", 404, `"image"`},
		{"a tile in no such set", "/collections/flat/map/tiles/Moon/0/0/0", "", 404, `"Moon"`},
		{"a tile of no such matrix", "/collections/flat/map/tiles/WebMercatorQuad/99/0/0", "", 404, `"99"`},
		{"a row of words", "/collections/flat/map/tiles/WebMercatorQuad/0/a/0", "", 400, "whole numbers"},
		{"a row with zeros in front", "/collections/flat/map/tiles/WebMercatorQuad/0/00/0", "", 400, "whole numbers"},
		{"too large a column", "/collections/flat/map/tiles/WebMercatorQuad/0/0/99999999999999999999", "", 400, "whole numbers"},
		{"a tile of the dataset in no such set", "/map/tiles/Moon/0/0/0", "", 404, `"Moon"`},
		{"a selection of none", "/map/tiles?collections=nope", "", 404, `"nope"`},
		{"an empty part of a selection", "/map?collections=flat,,map", "", 400, "collections"},
		{"no such format", "/?f=xml", "", 400, `"xml"`},
		{"a document as a picture", "/?f=png", "", 400, `"png"`},
		{"a map as a document", "/map?f=json", "", 400, `"json"`},
		{"two formats", "/?f=json&f=html", "", 400, "f is given 2 times"},
		{"nothing acceptable", "/", "application/xml", 406, "accepted"},
		{"no acceptable picture", "/map", "application/json", 406, "accepted"},
		{"a limit of words", "/collections?limit=all", "", 400, "limit"},
		{"a limit of 0", "/collections?limit=0", "", 400, "limit"},
		{"a negative offset", "/collections?offset=-1", "", 400, "offset"},
		{"a malformed query", "/collections?limit=%zz", "", 400, "malformed"},
		{"a version of a set that there is not", "/tileMatrixSets/WebMercatorQuad?version=3", "", 400, "version"},
		{"no such answer to emptiness", "/map/tiles/WebMercatorQuad/0/0/0?empty=loud", "", 400, "empty"},
	}
	w := ogcWorld(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := w.ask(ogcRoot+test.path, test.accept)
			if got.Code != test.status || got.Header().Get("Content-Type") != "application/problem+json" {
				t.Fatalf("got %d, %s, want %d", got.Code, got.Header().Get("Content-Type"), test.status)
			}
			problem := decodeProblem(t, got)
			if problem.Status != test.status || problem.Type != "about:blank" || problem.Title != http.StatusText(test.status) || !strings.Contains(problem.Detail, test.detail) {
				t.Errorf("got %+v, want …%s…", problem, test.detail)
			}
			if got.Header().Get("ETag") != "" || got.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("a problem has the headers %v", got.Header())
			}
		})
	}
	if w.calls() != 0 {
		t.Errorf("bad requests made %d reads", w.calls())
	}
}

// problem is an error as a client reads it.
type problem struct {
	Type, Title, Detail, Code string
	Status                    int
}

func decodeProblem(t testing.TB, got *httptest.ResponseRecorder) (p problem) {
	t.Helper()
	if err := json.Unmarshal(got.Body.Bytes(), &p); err != nil {
		t.Fatalf("%v in %s", err, got.Body)
	}
	return p
}

func TestProblemsOfDatasetsSayNothingOfFiles(t *testing.T) {
	w := newWorld(t, nil)
	for path, status := range map[string]int{
		"/collections/broken/map/tiles/WebMercatorQuad/12/1340/2200": 500, "/collections/broken/map": 500, "/map/tiles/WebMercatorQuad/12/1340/2200": 500,
	} {
		got := w.ask(ogcRoot+path, "")
		if got.Code != status || strings.Contains(got.Body.String(), "secret") || got.Header().Get("Content-Crs") != "" {
			t.Errorf("%s is %d: %s, %v", path, got.Code, got.Body, got.Header())
		}
	}
}

func TestLinksFollowTheProxy(t *testing.T) {
	w := worldOf(t, func(c *tilehttp.Config) { c.BasePath, c.Origin = "/base", "https://maps.example" }, scenesNamed(t, "map")...)
	for _, path := range []string{"/ogc", "/base/ogc/collections", "/ogc/collections/map/map/tiles/WebMercatorQuad", "/ogc/tileMatrixSets", "/ogc/collections/map/styles"} {
		for _, link := range ogcLinks(t, w.ask("http://inside:8080"+path, "").Body.Bytes()) {
			if !strings.HasPrefix(link.Href, "https://maps.example/base/ogc/") {
				t.Errorf("%s leads to %s", path, link.Href)
			}
		}
	}
}

func TestAThousandCollections(t *testing.T) {
	var many []scene
	for i := range 1000 {
		many = append(many, flatScene(fmt.Sprintf("l%03d", i), raster.RGBA{A: 255}, geo.Bounds{MinX: 1, MinY: 1, MaxX: 2, MaxY: 2}))
	}
	w := worldOf(t, nil, many...)
	seen, pages := make(map[string]bool), 0
	for next := ogcRoot + "/collections?f=json"; next != ""; pages++ {
		got := w.ask(next, "")
		list := decodeJSON[struct {
			NumberMatched, NumberReturned int
			Collections                   []struct{ ID string }
			Links                         []ogcLink
		}](t, got)
		if list.NumberMatched != 1000 || list.NumberReturned != len(list.Collections) || len(list.Collections) > 100 {
			t.Fatalf("%s has %d of %d", next, len(list.Collections), list.NumberMatched)
		}
		for _, c := range list.Collections {
			if seen[c.ID] {
				t.Errorf("%s is listed twice", c.ID)
			}
			seen[c.ID] = true
		}
		next = ""
		for _, link := range list.Links {
			if link.Rel == "next" {
				next = link.Href
			}
		}
	}
	if len(seen) != 1000 || pages != 10 {
		t.Errorf("%d collections on %d pages", len(seen), pages)
	}
	for query, want := range map[string]int{"limit=7&offset=995": 5, "limit=99999": 1000, "offset=1000": 0, "offset=5000": 0} {
		got := decodeJSON[struct{ Collections []any }](t, w.ask(ogcRoot+"/collections?"+query, ""))
		if got.Collections == nil || len(got.Collections) != want {
			t.Errorf("%s lists %d, want %d", query, len(got.Collections), want)
		}
	}
	tooMany := w.ask(ogcRoot+"/map/tiles/WorldCRS84Quad/3/3/8", "")
	if problem := decodeProblem(t, tooMany); problem.Status != 400 || !strings.Contains(problem.Detail, "collections=") {
		t.Errorf("a tile of a thousand layers is %+v", problem)
	}
	if got := w.ask(ogcRoot+"/map/tiles/WorldCRS84Quad/3/3/8?collections=l001,l002", ""); got.Code != http.StatusOK {
		t.Errorf("a tile of two of a thousand layers is %d: %s", got.Code, got.Body)
	}
}

func TestHostileTitles(t *testing.T) {
	const title = `</title><script>alert("1")</script> & 'x' {tileRow}`
	s := flatScene("hostile", raster.RGBA{A: 255}, geo.Bounds{MinX: 1, MinY: 1, MaxX: 2, MaxY: 2})
	s.config.Title, s.config.Abstract, s.config.Attribution = title, title, title
	s.config.Styles[0].Title = title
	w := worldOf(t, func(c *tilehttp.Config) {
		c.Service = tilehttp.Service{Title: title, Abstract: title, Provider: title, Contact: title, Site: "javascript:alert(1)"}
	}, s)
	for _, path := range []string{
		"/", "/collections", "/collections/hostile", "/collections/hostile/styles", "/collections/hostile/styles/dim", "/map/tiles",
		"/collections/hostile/map/tiles", "/collections/hostile/map/tiles/WebMercatorQuad", "/api", "/conformance", "/tileMatrixSets", "/map/tiles/WebMercatorQuad",
	} {
		page := w.ask(ogcRoot+path+"?f=html", "")
		if page.Code != http.StatusOK || strings.Contains(page.Body.String(), "<script") || strings.Contains(page.Body.String(), "javascript:") {
			t.Errorf("the page %s is %d:\n%s", path, page.Code, page.Body)
		}
		if document := w.ask(ogcRoot+path+"?f=json", ""); document.Code != http.StatusOK {
			t.Errorf("%s is %d", path, document.Code)
		} else if path == "/collections/hostile" {
			if got := decodeJSON[struct{ Title string }](t, document); got.Title != title {
				t.Errorf("the title is %q", got.Title)
			}
		}
	}
}

func TestTileMatrixSetVersions(t *testing.T) {
	w := ogcWorld(t)
	old := decodeJSON[struct {
		Type, Identifier, SupportedCRS string
		TileMatrix                     []struct {
			Identifier    string
			TopLeftCorner [2]float64
			TileWidth     int
		}
	}](t, w.ask(ogcRoot+"/tileMatrixSets/EuropeanETRS89_LAEAQuad?version=1.0", ""))
	if old.Type != "TileMatrixSetType" || old.Identifier != "EuropeanETRS89_LAEAQuad" || len(old.TileMatrix) == 0 || old.TileMatrix[0].TopLeftCorner != [2]float64{5500000, 2000000} {
		t.Errorf("version 1.0 is %+v", old)
	}
	now := decodeJSON[struct {
		ID, URI      string
		TileMatrices []struct{ ID string }
	}](t, w.ask(ogcRoot+"/tileMatrixSets/EuropeanETRS89_LAEAQuad", ""))
	if now.ID != old.Identifier || len(now.TileMatrices) != len(old.TileMatrix) || now.URI != "http://www.opengis.net/def/tilematrixset/OGC/1.0/EuropeanETRS89_LAEAQuad" {
		t.Errorf("version 2.0 is %+v", now)
	}
}
