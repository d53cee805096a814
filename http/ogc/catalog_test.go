package ogc_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tileserver/geo"
	tilehttp "tileserver/http"
	"tileserver/http/serve"
	"tileserver/http/servertest"
	"tileserver/raster"
)

func TestLinksFollowTheProxy(t *testing.T) {
	server := servertest.Serve(t, func(c *tilehttp.Config) { c.BasePath, c.Origin = "/base", "https://maps.example" }, servertest.ScenesNamed(t, "map")...)
	for _, path := range []string{"/ogc", "/base/ogc/collections", "/ogc/collections/map/map/tiles/WebMercatorQuad", "/ogc/tileMatrixSets", "/ogc/collections/map/styles"} {
		for _, link := range ogcLinks(t, server.GetAs("http://inside:8080"+path, "").Body.Bytes()) {
			if !strings.HasPrefix(link.Href, "https://maps.example/base/ogc/") {
				t.Errorf("%s leads to %s", path, link.Href)
			}
		}
	}
}

func TestAThousandCollections(t *testing.T) {
	var many []servertest.Scene
	for i := range 1000 {
		many = append(many, servertest.Flat(fmt.Sprintf("l%03d", i), raster.RGBA{A: 255}, geo.Bounds{MinX: 1, MinY: 1, MaxX: 2, MaxY: 2}))
	}
	server := servertest.Serve(t, nil, many...)
	seen, pages := make(map[string]bool), 0
	for next := root + "/collections?f=json"; next != ""; pages++ {
		got := server.GetAs(next, "")
		list := servertest.DecodeJSON[struct {
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
		got := servertest.DecodeJSON[struct{ Collections []any }](t, server.GetAs(root+"/collections?"+query, ""))
		if got.Collections == nil || len(got.Collections) != want {
			t.Errorf("%s lists %d, want %d", query, len(got.Collections), want)
		}
	}
	for _, path := range []string{"/map/tiles/WorldCRS84Quad/3/3/8", "/map?f=png&width=50"} {
		if got := server.GetAs(root+path, ""); got.Code != http.StatusOK {
			t.Errorf("%s of a thousand layers is %d: %s", path, got.Code, got.Body)
		}
	}
	chosen := "l000"
	for i := 1; i < 17; i++ {
		chosen += fmt.Sprintf(",l%03d", i)
	}
	tooMany := server.GetAs(root+"/map/tiles/WorldCRS84Quad/3/3/8?collections="+chosen, "")
	if problem := decodeProblem(t, tooMany); problem.Status != 400 || !strings.Contains(problem.Detail, "collections=") {
		t.Errorf("a tile of 17 selected layers is %+v", problem)
	}
	if got := server.GetAs(root+"/map/tiles/WorldCRS84Quad/3/3/8?collections=l001,l002", ""); got.Code != http.StatusOK {
		t.Errorf("a tile of two of a thousand layers is %d: %s", got.Code, got.Body)
	}
}

func TestHostileTitles(t *testing.T) {
	const title = `</title><script>alert("1")</script> & 'x' {tileRow}`
	s := servertest.Flat("hostile", raster.RGBA{A: 255}, geo.Bounds{MinX: 1, MinY: 1, MaxX: 2, MaxY: 2})
	s.Config.Title, s.Config.Abstract, s.Config.Attribution = title, title, title
	s.Config.Styles[0].Title = title
	server := servertest.Serve(t, func(c *tilehttp.Config) {
		c.Service = serve.Service{Title: title, Abstract: title, Provider: title, Contact: title, Site: "javascript:alert(1)"}
	}, s)
	for _, path := range []string{
		"/", "/collections", "/collections/hostile", "/collections/hostile/styles", "/collections/hostile/styles/dim", "/map/tiles",
		"/collections/hostile/map/tiles", "/collections/hostile/map/tiles/WebMercatorQuad", "/api", "/conformance", "/tileMatrixSets", "/map/tiles/WebMercatorQuad",
	} {
		page := server.GetAs(root+path+"?f=html", "")
		if page.Code != http.StatusOK || strings.Contains(page.Body.String(), "<script") || strings.Contains(page.Body.String(), "javascript:") {
			t.Errorf("the page %s is %d:\n%s", path, page.Code, page.Body)
		}
		if document := server.GetAs(root+path+"?f=json", ""); document.Code != http.StatusOK {
			t.Errorf("%s: status %d", path, document.Code)
		} else if path == "/collections/hostile" {
			if got := servertest.DecodeJSON[struct{ Title string }](t, document); got.Title != title {
				t.Errorf("the title is %q", got.Title)
			}
		}
	}
}

func TestTileMatrixSetVersions(t *testing.T) {
	server := newServer(t)
	old := servertest.DecodeJSON[struct {
		Type, Identifier, SupportedCRS string
		TileMatrix                     []struct {
			Identifier    string
			TopLeftCorner [2]float64
			TileWidth     int
		}
	}](t, server.GetAs(root+"/tileMatrixSets/EuropeanETRS89_LAEAQuad?version=1.0", ""))
	if old.Type != "TileMatrixSetType" || old.Identifier != "EuropeanETRS89_LAEAQuad" || len(old.TileMatrix) == 0 || old.TileMatrix[0].TopLeftCorner != [2]float64{5500000, 2000000} {
		t.Errorf("version 1.0 is %+v", old)
	}
	now := servertest.DecodeJSON[struct {
		ID, URI      string
		TileMatrices []struct{ ID string }
	}](t, server.GetAs(root+"/tileMatrixSets/EuropeanETRS89_LAEAQuad", ""))
	if now.ID != old.Identifier || len(now.TileMatrices) != len(old.TileMatrix) || now.URI != "http://www.opengis.net/def/tilematrixset/OGC/1.0/EuropeanETRS89_LAEAQuad" {
		t.Errorf("version 2.0 is %+v", now)
	}
}

// With Config.Versioned, the addresses of the API contain the version of each style's pictures.
func TestVersionsInTileAddresses(t *testing.T) {
	server := servertest.Serve(t, func(c *tilehttp.Config) { c.Versioned = true }, servertest.Flat("flat", raster.RGBA{R: 200, A: 255}, geo.Bounds{MinX: 2, MinY: 40, MaxX: 22, MaxY: 50}))
	versions := make(map[string]bool)
	for _, path := range []string{"/collections/flat/map/tiles/WorldCRS84Quad", "/collections/flat/styles/dim/map/tiles/WorldCRS84Quad"} {
		set := servertest.DecodeJSON[ogcTileSet](t, server.GetAs(root+path, ""))
		address := tileAddress(linkTo(t, set.Links, "item", "image/png").Href, "3", 1, 8)
		_, version, ok := strings.Cut(address, "&v=")
		if got := server.GetAs(address, ""); !ok || got.Code != http.StatusOK || !strings.Contains(got.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: status %d, %s", address, got.Code, got.Header().Get("Cache-Control"))
		}
		versions[version] = true
	}
	if len(versions) != 2 {
		t.Errorf("two styles have the versions %v", versions)
	}
	collection := server.GetAs(root+"/collections/flat", "").Body.Bytes()
	if address := linkTo(t, ogcLinks(t, collection), relMap, "image/png").Href; !strings.Contains(address, "&v=") {
		t.Errorf("the map is at %s", address)
	}
}
