package ogc_test

import (
	"image"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tileserver/geo"
	"tileserver/http/servertest"
	"tileserver/raster"
)

// newServer serves layers with a position, in several systems, and layers without.
func newServer(t testing.TB) *servertest.Server {
	t.Helper()
	some := servertest.ScenesNamed(t, "map", "height", "utm", "plain")
	return servertest.Serve(t, nil, append(some, servertest.Flat("flat", raster.RGBA{R: 200, A: 255}, geo.Bounds{MinX: 2, MinY: 40, MaxX: 22, MaxY: 50}))...)
}

func TestLandingPageLeadsToTileSets(t *testing.T) {
	server := newServer(t)
	for _, path := range []string{root, root + "/"} {
		got := server.GetAs(path, "application/json")
		if got.Code != http.StatusOK || got.Header().Get("Content-Type") != "application/json" {
			t.Fatalf("%s: status %d, %s", path, got.Code, got.Header().Get("Content-Type"))
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
			checkTileSetsList(t, server, link.Href)
		}
		if count == 0 {
			t.Errorf("%s links to no tilesets", path)
		}
	}
}

// checkTileSetsList checks a list of tilesets and every tileset in it.
func checkTileSetsList(t *testing.T, server *servertest.Server, address string) {
	t.Helper()
	list := servertest.DecodeJSON[struct {
		TileSets []struct {
			Title, DataType, CRS, TileMatrixSetID, TileMatrixSetURI string
			TileMatrixSetLimits                                     []ogcLimit
			Links                                                   []ogcLink
		}
	}](t, server.GetAs(address, "application/json"))
	if len(list.TileSets) == 0 {
		t.Errorf("%s has no tilesets", address)
	}
	for _, item := range list.TileSets {
		if item.TileMatrixSetURI == "" || item.CRS == "" || item.DataType != "map" {
			t.Errorf("%s: a tileset is %+v", address, item)
		}
		checkTileSet(t, server, linkTo(t, item.Links, "self", "application/json").Href, item.TileMatrixSetURI)
		linkTo(t, item.Links, relTilingScheme, "application/json")
		template := linkTo(t, item.Links, "item", "image/png")
		if len(item.TileMatrixSetLimits) == 0 || !template.Templated || !strings.Contains(template.Href, "/tiles/"+item.TileMatrixSetID+"/{tileMatrix}/{tileRow}/{tileCol}") {
			t.Fatalf("%s: a tileset has the limits %v and the template %+v", address, item.TileMatrixSetLimits, template)
		}
		checkTiles(t, server, template.Href, item.TileMatrixSetLimits[0], 0, 0)
	}
}

func checkTileSet(t *testing.T, server *servertest.Server, address, uri string) {
	t.Helper()
	set := servertest.DecodeJSON[ogcTileSet](t, server.GetAs(address, ""))
	if set.TileMatrixSetURI != uri || set.DataType != "map" || len(set.TileMatrixSetLimits) == 0 || set.CRS != set.BoundingBox.CRS {
		t.Fatalf("%s is %+v", address, set)
	}
	definition := servertest.DecodeJSON[struct {
		ID, CRS      string
		OrderedAxes  []string
		TileMatrices []ogcMatrix
	}](t, server.GetAs(linkTo(t, set.Links, relTilingScheme, "application/json").Href, ""))
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
		checkTiles(t, server, template, l, m.TileWidth, m.TileHeight)
	}
}

// checkTiles checks the tiles at the corners of limits and beyond. A width of 0 skips the size.
func checkTiles(t *testing.T, server *servertest.Server, template string, l ogcLimit, width, height int) {
	t.Helper()
	for _, place := range [][2]int{{l.MinTileRow, l.MinTileCol}, {l.MaxTileRow, l.MaxTileCol}} {
		address := tileAddress(template, l.TileMatrix, place[0], place[1])
		got := server.GetAs(address, "")
		if got.Code != http.StatusOK || got.Header().Get("Content-Type") != "image/png" {
			t.Fatalf("%s: status %d, %s", address, got.Code, got.Body)
		}
		if img, _ := servertest.DecodeImage(t, got); width > 0 && img.Bounds() != image.Rect(0, 0, width, height) {
			t.Errorf("%s is of %v, want %dx%d", address, img.Bounds(), width, height)
		}
	}
	for _, place := range [][2]int{
		{l.MaxTileRow + 1, l.MinTileCol}, {l.MinTileRow, l.MaxTileCol + 1}, {math.MaxInt32, math.MaxInt32}, {math.MaxInt32, l.MinTileCol}, {-1, l.MinTileCol},
	} {
		if got := server.GetAs(tileAddress(template, l.TileMatrix, place[0], place[1]), ""); got.Code != http.StatusNotFound {
			t.Errorf("outside the limits, %v of %s: status %d", place, l.TileMatrix, got.Code)
		}
	}
}

func TestCollectionsLeadToTileSets(t *testing.T) {
	server := newServer(t)
	list := servertest.DecodeJSON[struct {
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
	}](t, server.GetAs(root+"/collections", "application/json"))
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
		checkTileSetsList(t, server, link.Href)
	}
	if utm := list.Collections[2]; !slices.Contains(utm.CRS, "http://www.opengis.net/def/crs/EPSG/0/32633") {
		t.Errorf("%s is offered in %v", utm.ID, utm.CRS)
	}
}

func TestConformance(t *testing.T) {
	got := servertest.DecodeJSON[struct{ ConformsTo []string }](t, newServer(t).GetAs(root+"/conformance", ""))
	for _, class := range []string{
		"ogcapi-common-1/1.0/conf/core", "ogcapi-common-1/1.0/conf/html", "ogcapi-common-1/1.0/conf/oas30", "ogcapi-common-2/1.0/conf/collections",
		"ogcapi-tiles-1/1.0/conf/core", "ogcapi-tiles-1/1.0/conf/tilesets-list", "ogcapi-tiles-1/1.0/conf/dataset-tilesets",
		"ogcapi-tiles-1/1.0/conf/geodata-tilesets", "ogcapi-tiles-1/1.0/conf/collections-selection", "ogcapi-maps-1/1.0/conf/core",
	} {
		if !slices.Contains(got.ConformsTo, "http://www.opengis.net/spec/"+class) {
			t.Errorf("missing conformance class %s", class)
		}
	}
}
