package api_test

import (
	"net/http"
	"strings"
	"testing"

	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
)

// emptyTile is a tile of the grid in which no layer has pixels.
const emptyTile = "/tiles/map/12/0/0"

func TestEmptyTile(t *testing.T) {
	for _, test := range []struct {
		name, query   string
		server, layer layer.EmptyAnswer
		status        int
	}{
		{"nothing is said", "", layer.EmptyUnset, layer.EmptyUnset, 200},
		{"the server says", "", layer.EmptyNothing, layer.EmptyUnset, 204},
		{"the layer says", "", layer.EmptyNothing, layer.EmptyNotFound, 404},
		{"the request says", "?empty=204", layer.EmptyUnset, layer.EmptyNotFound, 204},
		{"the request says blank", "?empty=blank", layer.EmptyNotFound, layer.EmptyNothing, 200},
		{"the request says it wrong", "?empty=500", layer.EmptyUnset, layer.EmptyUnset, 400},
	} {
		server := servertest.New(t, func(_ *layer.CatalogConfig, c *tilehttp.Config) { c.Empty = test.server })
		empty := servertest.Scenes(t)[0]
		empty.Config.ID, empty.Config.Empty = "own", test.layer
		server.Add(t, empty)
		got := server.Get(t, strings.Replace(emptyTile, "map", "own", 1)+"@2x.webp"+test.query)
		if got.Code != test.status {
			t.Errorf("%s: status %d, want %d", test.name, got.Code, test.status)
		}
		switch test.status {
		case 200:
			if img, _ := servertest.DecodeImage(t, got); img.Bounds().Dx() != 512 || got.Header().Get("Content-Type") != "image/webp" {
				t.Errorf("%s: the blank picture is %v of %s", test.name, img.Bounds(), got.Header().Get("Content-Type"))
			}
		case 204, 404:
			if got.Header().Get("Cache-Control") != servertest.CacheControl || got.Header().Get("X-Cache") != "EMPTY" {
				t.Errorf("%s: Cache-Control %q, from %q", test.name, got.Header().Get("Cache-Control"), got.Header().Get("X-Cache"))
			}
		}
	}
}

func TestOnlyEmptyTilesHaveEmptyAnswers(t *testing.T) {
	server := servertest.New(t, func(_ *layer.CatalogConfig, c *tilehttp.Config) { c.Empty = layer.EmptyNothing })
	for path, want := range map[string]int{
		"/tiles/map/" + servertest.CornerTile + ".png":             http.StatusOK,
		"/tiles/map/12/0/0.png":                                    http.StatusNoContent,
		"/tiles/map/12/4096/0.png":                                 http.StatusNotFound, // the tile does not exist
		"/layers/map/view.png?bbox=0,0,1,1&width=16":               http.StatusOK,       // a view, not a tile
		"/tiles/height/" + servertest.CornerTile + ".png?nodata=0": http.StatusOK,
	} {
		if got := server.Get(t, path); got.Code != want {
			t.Errorf("%s: status %d, want %d", path, got.Code, want)
		}
	}
}

// Whether an empty tile is a picture is not part of its version.
func TestEmptyAnswersAreNotImmutable(t *testing.T) {
	server := servertest.New(t, func(_ *layer.CatalogConfig, c *tilehttp.Config) { c.Versioned, c.Empty = true, layer.EmptyNothing })
	query := "?" + server.CornerTileAddress(t, "").RawQuery
	for path, want := range map[string]string{
		"/tiles/map/" + servertest.CornerTile + ".png" + query: "public, max-age=31536000, immutable",
		emptyTile + ".png" + query + "&empty=blank":            "public, max-age=31536000, immutable",
		emptyTile + ".png" + query:                             servertest.CacheControl,
		emptyTile + ".png" + query + "&empty=404":              servertest.CacheControl,
	} {
		if got := server.Get(t, path); got.Header().Get("Cache-Control") != want {
			t.Errorf("%s (%d) has Cache-Control %q, want %q", path, got.Code, got.Header().Get("Cache-Control"), want)
		}
	}
}

func TestTileJSONRejectsUnknownEmptyAnswer(t *testing.T) {
	server := servertest.New(t, nil)
	for query, want := range map[string]int{"": 200, "?empty=404": 200, "?empty=500": 400, "?empty=204&empty=404": 400} {
		if got := server.Get(t, "/layers/map/tilejson.json"+query); got.Code != want {
			t.Errorf("%q: status %d, want %d", query, got.Code, want)
		}
	}
}
