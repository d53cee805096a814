package http_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
)

func TestBasePath(t *testing.T) {
	server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.BasePath = "maps/of/mine/" })
	for _, prefix := range []string{"", "/maps/of/mine"} { // a proxy cuts the base path off, or not
		got := servertest.DecodeJSON[servertest.TileJSON](t, server.Get(t, prefix+"/layers/map/tilejson.json"))
		if want := "http://example.com/maps/of/mine/tiles/map/{z}/{x}/{y}.png"; got.Tiles[0] != want {
			t.Errorf("under %q the tiles are %s, want %s", prefix, got.Tiles[0], want)
		}
		if got := server.Get(t, prefix+"/tiles/map/"+servertest.CornerTile+"%402x.png"); got.Code != 200 {
			t.Errorf("under %q, a tile: status %d", prefix, got.Code)
		}
	}
	if got := server.Get(t, "/maps/of/mine"); got.Code != 308 || got.Header().Get("Location") != "/maps/of/mine/" {
		t.Errorf("the folder without its slash: status %d, Location %s", got.Code, got.Header().Get("Location"))
	}
	if got := server.Get(t, "/maps/of/mines/layers"); got.Code != 404 {
		t.Errorf("another folder: status %d", got.Code)
	}
}

// An address whose prefix a proxy has cut off may begin with the same word as the prefix.
func TestPrefixNamedLikeAnAddress(t *testing.T) {
	for _, prefix := range []string{"/tiles", "/wmts", "/ogc", "/iiif", "/layers"} {
		for _, test := range []struct{ name, told, base string }{
			{"told by the proxy", prefix, ""}, {"of the operator", "", prefix}, {"of both", prefix, "/inner" + prefix},
		} {
			server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.BasePath = test.base })
			for _, path := range []string{
				"/tiles/map/" + servertest.CornerTile + ".png", "/tiles/map/WebMercatorQuad/" + servertest.CornerTile + "%402x.png", "/layers/map", "/layers",
				capabilitiesPath, "/ogc/conformance", "/iiif/map/info.json",
			} {
				for _, at := range []string{path, prefix + path} {
					if at == prefix {
						continue // redirects to the folder
					}
					if got := server.GetThrough("127.0.0.1:1", at, map[string]string{"X-Forwarded-Prefix": test.told}); got.Code != http.StatusOK {
						t.Errorf("%s under %s, %s, is %d", at, prefix, test.name, got.Code)
					}
				}
			}
		}
	}
}

func TestLinksBeginWithTheConfiguredOrigin(t *testing.T) {
	server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) {
		config.Origin, config.BasePath = "https://maps.example", "/mine"
	})
	r := httptest.NewRequest("GET", "http://inner:8080/layers/map", nil)
	if got := servertest.DecodeJSON[servertest.LayerDocument](t, server.Do(r)).Links.Self; got != "https://maps.example/mine/layers/map" {
		t.Errorf("the layer is at %s", got)
	}
}

func TestLinksSayHTTPSBehindTLS(t *testing.T) {
	server := servertest.New(t, nil)
	r := httptest.NewRequest("GET", "https://tiles.example/layers/map", nil)
	if got := servertest.DecodeJSON[servertest.LayerDocument](t, server.Do(r)).Links.Self; got != "https://tiles.example/layers/map" {
		t.Errorf("the layer is at %s", got)
	}
}
