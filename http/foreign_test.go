package http_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tileserver/http/servertest"
)

// Unsupported parameters are rejected with advice.
func TestRejectedForeignParameters(t *testing.T) {
	server := servertest.New(t, nil)
	const tile, preview, view = "/tiles/map/" + servertest.CornerTile + ".png", "/layers/map/preview.png", "/layers/utm/view.png?bbox=" + servertest.UTMBox
	for address, names := range map[string][]string{
		tile:                        {"bbox", "coord_crs", "dst_crs", "max_size", "width", "height", "tile_scale", "tile_format", "buffer", "padding", "reproject", "reproject_method", "resampling_method", "return_mask=false", "assets", "url", "pixel_selection"},
		preview:                     {"bbox", "coord_crs", "dst_crs", "tilesize", "buffer", "reproject", "return_mask=0"},
		view:                        {"tilesize", "buffer", "coord-crs", "dst-crs", "padding", "reproject"},
		"/layers/map/statistics":    {"p", "histogram_range", "categorical", "c", "max_size", "coord_crs"},
		"/layers/map/tilejson.json": {"tile_format", "tile_scale", "buffer", "minzoom", "maxzoom", "TileMatrixSetId", "reproject_method"},
		"/layers/map":               {"url", "buffer"},
		"/colormaps":                {"url", "assets"},
		"/layers/map/point/0,0":     {"dst_crs", "buffer"},
		"/layers/height/legend.png": {"max_size"},

		"/ogc/collections/map/map/tiles/WebMercatorQuad/12/1340/2200?f=png": {"buffer", "p", "url", "width", "bbox", "tilesize", "return_mask=no"},
		"/ogc/map/tiles/WebMercatorQuad/12/1340/2200?collections=map":       {"buffer", "padding", "max_size"},
		"/ogc/collections/map/map?width=9":                                  {"buffer", "p", "max_size", "dst_crs"},
		"/ogc/map?collections=map,styled&width=9":                           {"buffer", "assets"},
		"/iiif/map/full/60,/0/default.png":                                  {"buffer", "p", "width", "bbox"},
		"/tms/1.0.0/map@WebMercatorQuad/0/0/0.png":                          {"buffer", "tilesize"},
		"/dzi/map_files/0/0_0.png":                                          {"buffer", "reproject"},
		"/zoomify/map/TileGroup0/0-0-0.png":                                 {"buffer", "return_mask=0"},
	} {
		for _, name := range names {
			parameter, hasValue := name, strings.Contains(name, "=")
			if !hasValue {
				parameter += "=7"
			}
			separator := "?"
			if strings.Contains(address, "?") {
				separator = "&"
			}
			got := server.Get(t, address+separator+parameter)
			word, _, _ := strings.Cut(name, "=")
			if want := fmt.Sprintf("unsupported parameter %s: ", word); got.Code != http.StatusBadRequest || !strings.Contains(got.Body.String(), want) {
				t.Errorf("%s with %s is %d, %.200s", address, parameter, got.Code, got.Body)
			}
		}
	}
	for _, query := range []string{"?_=1700000000", "?cachebuster=1&foo=bar", "?buffer=", "?v=2"} {
		if got := server.Get(t, tile+query); got.Code != http.StatusOK {
			t.Errorf("%s is %d: unknown names must be ignored", query, got.Code)
		}
	}
}
