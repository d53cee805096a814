package http_test

import (
	"net/http/httptest"
	"testing"

	tilehttp "tileserver/http"
	"tileserver/layer"
)

func TestBasePath(t *testing.T) {
	w := newWorld(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.BasePath = "maps/of/mine/" })
	for _, prefix := range []string{"", "/maps/of/mine"} { // cut off by a proxy, and not
		got := decodeJSON[tileJSON](t, w.get(t, prefix+"/layers/map/tilejson.json"))
		if want := "http://example.com/maps/of/mine/tiles/map/{z}/{x}/{y}.png"; got.Tiles[0] != want {
			t.Errorf("under %q the tiles are %s, want %s", prefix, got.Tiles[0], want)
		}
		if got := w.get(t, prefix+"/tiles/map/"+cornerTile+"%402x.png"); got.Code != 200 {
			t.Errorf("under %q a tile is %d", prefix, got.Code)
		}
	}
	if got := w.get(t, "/maps/of/mine"); got.Code != 308 || got.Header().Get("Location") != "/maps/of/mine/" {
		t.Errorf("the folder without its slash is %d to %s", got.Code, got.Header().Get("Location"))
	}
	if got := w.get(t, "/maps/of/mines/layers"); got.Code != 404 {
		t.Errorf("another folder is %d", got.Code)
	}
}

func TestLinksBeginWithTheConfiguredOrigin(t *testing.T) {
	w := newWorld(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) {
		config.Origin, config.BasePath = "https://maps.example", "/mine"
	})
	r := httptest.NewRequest("GET", "http://inner:8080/layers/map", nil)
	if got := decodeJSON[layerDocument](t, w.do(r)).Links.Self; got != "https://maps.example/mine/layers/map" {
		t.Errorf("the layer is at %s", got)
	}
}

func TestLinksSayHTTPSBehindTLS(t *testing.T) {
	w := newWorld(t, nil)
	r := httptest.NewRequest("GET", "https://tiles.example/layers/map", nil)
	if got := decodeJSON[layerDocument](t, w.do(r)).Links.Self; got != "https://tiles.example/layers/map" {
		t.Errorf("the layer is at %s", got)
	}
}
