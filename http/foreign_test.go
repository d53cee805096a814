package http_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// utmBox is a box within the layer utm in degrees, and utmBoxInMeters a box around it in its CRS.
const (
	utmBox         = "15.01,47.80,15.05,47.83"
	utmBoxInMeters = "500750,5294100,503750,5297450"
)

// Supported parameters of TiTiler have the same effect as there.
func TestSupportedForeignParameters(t *testing.T) {
	w := newWorld(t, nil)
	for _, test := range []struct{ theirs, ours string }{
		{"/layers/utm/view.png?bbox=500000,5297000,507000,5300000&coord_crs=epsg:32633&width=70&height=30", "/layers/utm/view.png?bbox=500000,5297000,507000,5300000&crs=EPSG:32633&width=70&height=30"},
		{"/layers/utm/view.png?bbox=" + utmBox + "&dst_crs=EPSG:4326", "/layers/utm/view.png?bbox=" + utmBox},
		{"/layers/utm/view.png?bbox=" + utmBox + "&coord_crs=EPSG:4326&dst_crs=EPSG:4326", "/layers/utm/view.png?bbox=" + utmBox},
		{"/layers/utm/view.png?bbox=" + utmBox + "&max_size=100", "/layers/utm/view.png?bbox=" + utmBox + "&width=100"},
		{"/layers/utm/view.png?bbox=" + utmBox + "&max_size=100&width=60&height=20", "/layers/utm/view.png?bbox=" + utmBox + "&width=60&height=20"},
		{"/layers/utm/point/500000,5298000?coord_crs=EPSG:32633", "/layers/utm/point/500000,5298000?crs=EPSG:32633"},
		{"/layers/map/preview.png?width=601&height=499", "/layers/map/view.png?bbox=0,0,601,499&crs=image&width=601&height=499"},
		{"/layers/map/preview.png?width=60", "/layers/map/preview.png?width=60&height=50"},
		{"/tiles/map/" + cornerTile + ".png?tilesize=512", "/tiles/map/" + cornerTile + "@2x.png"},
		{"/tiles/map/" + cornerTile + ".png?tilesize=256&buffer=0&padding=0&return_mask=true", "/tiles/map/" + cornerTile + ".png"},
		{"/tiles/height/" + cornerTile + ".png?unscale=1", "/tiles/height/" + cornerTile + ".png?unscale=true"},
		{"/tiles/height/" + cornerTile + ".png?unscale=on", "/tiles/height/" + cornerTile + ".png?unscale=true"},
	} {
		theirs, ours := w.get(t, test.theirs), w.get(t, test.ours)
		if theirs.Code != http.StatusOK || ours.Code != http.StatusOK || !bytes.Equal(theirs.Body.Bytes(), ours.Body.Bytes()) {
			t.Errorf("%s is %d and not %s, which is %d: %.200s", test.theirs, theirs.Code, test.ours, ours.Code, theirs.Body)
		}
	}
}

// A bbox may be in another CRS than its view, which then encloses the transformed corners.
func TestBBoxInAnotherCRS(t *testing.T) {
	w := newWorld(t, nil)
	path := "/layers/utm/view.tif?width=97&height=55&bbox=" + utmBox
	for _, query := range []string{"&coord_crs=EPSG:4326&dst_crs=EPSG:32633", "&dst_crs=EPSG:32633", "&bbox-crs=CRS84&crs=EPSG:32633"} {
		got := w.get(t, path+query)
		if got.Code != http.StatusOK || !bytes.Contains(got.Body.Bytes(), []byte{0x79, 0x7f}) { // 32633 among the keys
			t.Errorf("%s: status %d", query, got.Code)
		}
	}
	carried := w.get(t, strings.Replace(path, ".tif", ".npy", 1)+"&dst_crs=EPSG:32633")
	direct := w.get(t, "/layers/utm/view.npy?width=97&height=55&crs=EPSG:32633&bbox="+utmBoxInMeters)
	same := 0
	a, b := carried.Body.Bytes(), direct.Body.Bytes()
	for i := range min(len(a), len(b)) {
		if max(a[i], b[i])-min(a[i], b[i]) < 12 {
			same++
		}
	}
	if len(a) != len(b) || same < len(a)*9/10 {
		t.Errorf("%d and %d bytes, of which %d are similar", len(a), len(b), same)
	}
}

func TestUnmaskedArrays(t *testing.T) {
	w := newWorld(t, nil)
	path := "/layers/height/preview.npy?max_size=51"
	masked, unmasked := w.get(t, path), w.get(t, path+"&return_mask=false")
	if !strings.Contains(masked.Body.String(), "(2, 41, 51)") || !strings.Contains(unmasked.Body.String(), "(1, 41, 51)") {
		t.Errorf("the arrays are %.100q and %.100q", masked.Body, unmasked.Body)
	}
	if masked.Header().Get("ETag") == unmasked.Header().Get("ETag") {
		t.Error("both have the same ETag")
	}
	const header = 128
	samples := unmasked.Body.Bytes()[header:]
	if !bytes.Equal(samples, masked.Body.Bytes()[header:][:len(samples)]) {
		t.Error("without the mask the samples differ")
	}
}

// Unsupported parameters are rejected with advice.
func TestRejectedForeignParameters(t *testing.T) {
	w := newWorld(t, nil)
	const tile, preview, view = "/tiles/map/" + cornerTile + ".png", "/layers/map/preview.png", "/layers/utm/view.png?bbox=" + utmBox
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
			got := w.get(t, address+separator+parameter)
			word, _, _ := strings.Cut(name, "=")
			if want := fmt.Sprintf("unsupported parameter %s: ", word); got.Code != http.StatusBadRequest || !strings.Contains(got.Body.String(), want) {
				t.Errorf("%s with %s is %d, %.200s", address, parameter, got.Code, got.Body)
			}
		}
	}
	for _, query := range []string{"?_=1700000000", "?cachebuster=1&foo=bar", "?buffer=", "?v=2"} {
		if got := w.get(t, tile+query); got.Code != http.StatusOK {
			t.Errorf("%s is %d: unknown names must be ignored", query, got.Code)
		}
	}
}

func TestTileJSONOfLargerTiles(t *testing.T) {
	w := newWorld(t, nil)
	got := decodeJSON[tileJSON](t, w.get(t, "/layers/map/tilejson.json?tilesize=512"))
	if got.TileSize != 512 || got.Tiles[0] != "http://example.com/tiles/map/{z}/{x}/{y}.png?tilesize=512" {
		t.Errorf("tiles of %d pixels are at %s", got.TileSize, got.Tiles[0])
	}
}

// Views may extend beyond the poles, and more than once around the globe.
func TestValidDegrees(t *testing.T) {
	w := newWorld(t, nil)
	for _, box := range []string{"-360,-120,360,120", "170,40,190,50", "350,-10,370,10"} {
		if got := w.get(t, "/layers/map/view.png?bbox="+box); got.Code != http.StatusOK {
			t.Errorf("%s: status %d", box, got.Code)
		}
	}
}
