package api_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"tileserver/http/servertest"
)

// Supported parameters of TiTiler have the same effect as there.
func TestSupportedForeignParameters(t *testing.T) {
	server := servertest.New(t, nil)
	for _, test := range []struct{ theirs, ours string }{
		{"/layers/utm/view.png?bbox=500000,5297000,507000,5300000&coord_crs=epsg:32633&width=70&height=30", "/layers/utm/view.png?bbox=500000,5297000,507000,5300000&crs=EPSG:32633&width=70&height=30"},
		{"/layers/utm/view.png?bbox=" + servertest.UTMBox + "&dst_crs=EPSG:4326", "/layers/utm/view.png?bbox=" + servertest.UTMBox},
		{"/layers/utm/view.png?bbox=" + servertest.UTMBox + "&coord_crs=EPSG:4326&dst_crs=EPSG:4326", "/layers/utm/view.png?bbox=" + servertest.UTMBox},
		{"/layers/utm/view.png?bbox=" + servertest.UTMBox + "&max_size=100", "/layers/utm/view.png?bbox=" + servertest.UTMBox + "&width=100"},
		{"/layers/utm/view.png?bbox=" + servertest.UTMBox + "&max_size=100&width=60&height=20", "/layers/utm/view.png?bbox=" + servertest.UTMBox + "&width=60&height=20"},
		{"/layers/utm/point/500000,5298000?coord_crs=EPSG:32633", "/layers/utm/point/500000,5298000?crs=EPSG:32633"},
		{"/layers/map/preview.png?width=601&height=499", "/layers/map/view.png?bbox=0,0,601,499&crs=image&width=601&height=499"},
		{"/layers/map/preview.png?width=60", "/layers/map/preview.png?width=60&height=50"},
		{"/tiles/map/" + servertest.CornerTile + ".png?tilesize=512", "/tiles/map/" + servertest.CornerTile + "@2x.png"},
		{"/tiles/map/" + servertest.CornerTile + ".png?tilesize=256&buffer=0&padding=0&return_mask=true", "/tiles/map/" + servertest.CornerTile + ".png"},
		{"/tiles/height/" + servertest.CornerTile + ".png?unscale=1", "/tiles/height/" + servertest.CornerTile + ".png?unscale=true"},
		{"/tiles/height/" + servertest.CornerTile + ".png?unscale=on", "/tiles/height/" + servertest.CornerTile + ".png?unscale=true"},
	} {
		theirs, ours := server.Get(t, test.theirs), server.Get(t, test.ours)
		if theirs.Code != http.StatusOK || ours.Code != http.StatusOK || !bytes.Equal(theirs.Body.Bytes(), ours.Body.Bytes()) {
			t.Errorf("%s is %d and not %s, which is %d: %.200s", test.theirs, theirs.Code, test.ours, ours.Code, theirs.Body)
		}
	}
}

// A bbox may be in another CRS than its view, which then encloses the transformed corners.
func TestBBoxInAnotherCRS(t *testing.T) {
	server := servertest.New(t, nil)
	path := "/layers/utm/view.tif?width=97&height=55&bbox=" + servertest.UTMBox
	for _, query := range []string{"&coord_crs=EPSG:4326&dst_crs=EPSG:32633", "&dst_crs=EPSG:32633", "&bbox-crs=CRS84&crs=EPSG:32633"} {
		got := server.Get(t, path+query)
		if got.Code != http.StatusOK || !bytes.Contains(got.Body.Bytes(), []byte{0x79, 0x7f}) { // 32633 among the keys
			t.Errorf("%s: status %d", query, got.Code)
		}
	}
	carried := server.Get(t, strings.Replace(path, ".tif", ".npy", 1)+"&dst_crs=EPSG:32633")
	direct := server.Get(t, "/layers/utm/view.npy?width=97&height=55&crs=EPSG:32633&bbox="+servertest.UTMBoxInMeters)
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
	server := servertest.New(t, nil)
	path := "/layers/height/preview.npy?max_size=51"
	masked, unmasked := server.Get(t, path), server.Get(t, path+"&return_mask=false")
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

func TestTileJSONOfLargerTiles(t *testing.T) {
	server := servertest.New(t, nil)
	got := servertest.DecodeJSON[servertest.TileJSON](t, server.Get(t, "/layers/map/tilejson.json?tilesize=512"))
	if got.TileSize != 512 || got.Tiles[0] != "http://example.com/tiles/map/{z}/{x}/{y}.png?tilesize=512" {
		t.Errorf("tiles of %d pixels are at %s", got.TileSize, got.Tiles[0])
	}
}

// Views may extend beyond the poles, and more than once around the globe.
func TestValidDegrees(t *testing.T) {
	server := servertest.New(t, nil)
	for _, box := range []string{"-360,-120,360,120", "170,40,190,50", "350,-10,370,10"} {
		if got := server.Get(t, "/layers/map/view.png?bbox="+box); got.Code != http.StatusOK {
			t.Errorf("%s: status %d", box, got.Code)
		}
	}
}
