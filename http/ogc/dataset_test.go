package ogc_test

import (
	"image/color"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"

	"tileserver/geo"
	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/raster"
)

// The memory for a tile of the dataset does not grow with the number of layers.
func TestTilesOfALargeDatasetAllocateLittle(t *testing.T) {
	server := servertest.New(t, nil)
	server.AddMany(t, 400)
	const path, requests, most = root + "/map/tiles/WebMercatorQuad/12/0/0?f=png", 20, 32 << 10
	if got := server.GetAs(path, ""); got.Code != http.StatusNotFound {
		t.Fatalf("got %d", got.Code)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range requests {
		server.GetAs(path, "")
	}
	runtime.ReadMemStats(&after)
	if bytes := (after.TotalAlloc - before.TotalAlloc) / requests; bytes > most {
		t.Errorf("a missing tile allocates %d bytes", bytes)
	}
}

// mapOfBoth shows the right half of one layer under the left half of the other in 60 by 20 pixels.
const mapOfBoth = "?f=png&bbox=2,40,32,50&width=60&height=20"

func colorOf(t *testing.T, got *httptest.ResponseRecorder, x, y int) color.NRGBA {
	t.Helper()
	if got.Code != http.StatusOK {
		t.Fatalf("got %d: %s", got.Code, got.Body)
	}
	img, _ := servertest.DecodeImage(t, got)
	return color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
}

func TestDatasetStacksAllLayers(t *testing.T) {
	red, blue := color.NRGBA{R: 200, A: 255}, color.NRGBA{B: 240, A: 51}
	blueOverRed, redOverBlue := color.NRGBA{R: 160, B: 48, A: 255}, red
	server := mapServer(t)
	for query, want := range map[string][3]color.NRGBA{ // at red alone, both, blue alone
		"":                       {red, blueOverRed, blue},
		"&collections=red,blue":  {red, blueOverRed, blue},
		"&collections=blue,red":  {red, redOverBlue, blue},
		"&collections=red":       {red, red, {}},
		"&collections=blue":      {{}, blue, blue},
		"&collections=blue,blue": {{}, blue, blue},
		"&collections=" + root + "/collections/red": {red, red, {}},
		"&transparent=false":                        {red, blueOverRed, {R: 204, G: 204, B: 252, A: 255}},
	} {
		got := server.GetAs(root+"/map"+mapOfBoth+query, "")
		for i, x := range []int{10, 30, 50} {
			if c := colorOf(t, got, x, 10); maxDifference(c, want[i]) > 1 {
				t.Errorf("%q at %d: got %v, want %v", query, x, c, want[i])
			}
		}
	}
}

func TestDatasetWithOneLayerSharesItsPicture(t *testing.T) {
	server := mapServer(t)
	for alone, of := range map[string]string{
		"/collections/red/map?f=png&bbox=3,41,8,44":                       "/map?f=png&bbox=3,41,8,44", // blue does not reach this box
		"/collections/red/map" + mapOfBoth:                                "/map" + mapOfBoth + "&collections=red",
		"/collections/blue/styles/default/map/tiles/WorldCRS84Quad/3/1/9": "/map/tiles/WorldCRS84Quad/3/1/9?collections=blue",
	} {
		own, got := server.GetAs(root+alone, ""), server.GetAs(root+of, "")
		if own.Code != http.StatusOK || got.Header().Get("ETag") != own.Header().Get("ETag") || got.Header().Get("X-Cache") == "MISS" {
			t.Errorf("%s is %d, %s, %s; %s is %s", of, got.Code, got.Header().Get("ETag"), got.Header().Get("X-Cache"), alone, own.Header().Get("ETag"))
		}
	}
}

func TestTilesOfTheDataset(t *testing.T) {
	server := mapServer(t)
	address := root + "/map/tiles/WorldCRS84Quad/3/1/9?f=png" // from 22.5 east: blue alone
	both := root + "/map/tiles/WorldCRS84Quad/3/1/8?f=png"    // from 0 to 22.5 east, 45 to 67.5 north
	if got := colorOf(t, server.GetAs(address, ""), 50, 230); maxDifference(got, color.NRGBA{B: 240, A: 51}) > 1 {
		t.Errorf("a tile of one layer is %v", got)
	}
	first := server.GetAs(both, "")
	if got := colorOf(t, first, 200, 230); maxDifference(got, color.NRGBA{R: 160, B: 48, A: 255}) > 1 {
		t.Errorf("a tile of both layers is %v", got)
	}
	if second := server.GetAs(both, ""); first.Header().Get("X-Cache") != "MISS" || second.Header().Get("X-Cache") != "HIT" {
		t.Errorf("the first is a %s, and the second a %s", first.Header().Get("X-Cache"), second.Header().Get("X-Cache"))
	}
	r := httptest.NewRequest(http.MethodGet, both, nil)
	r.Header.Set("If-None-Match", first.Header().Get("ETag"))
	if got := server.Do(r); got.Code != http.StatusNotModified || first.Header().Get("Cache-Control") == "" {
		t.Errorf("revalidation: status %d", got.Code)
	}
	if got := server.GetAs(both+"&bidx=1&rescale=0,400", ""); maxDifference(colorOf(t, got, 100, 230), color.NRGBA{R: 128, G: 128, B: 128, A: 255}) > 1 {
		t.Errorf("in a style of the query, a tile is %v", colorOf(t, got, 100, 230))
	}
}

// A tile within the limits in which no layer has pixels is blank, or the configured answer.
func TestEmptyTilesOfTheDataset(t *testing.T) {
	far := servertest.Flat("far", raster.RGBA{G: 9, A: 255}, geo.Bounds{MinX: 120, MinY: -30, MaxX: 130, MaxY: -20})
	near := servertest.Flat("near", raster.RGBA{R: 200, A: 255}, geo.Bounds{MinX: 2, MinY: 40, MaxX: 22, MaxY: 50})
	const between = root + "/map/tiles/WorldCRS84Quad/3/3/12?f=png"
	server := servertest.Serve(t, nil, near, far)
	for query, status := range map[string]int{"": 200, "&empty=blank": 200, "&empty=204": 204, "&empty=404": 404} {
		if got := server.GetAs(between+query, ""); got.Code != status {
			t.Errorf("%q: status %d, want %d", query, got.Code, status)
		}
	}
	if got := colorOf(t, server.GetAs(between, ""), 128, 128); got != (color.NRGBA{}) {
		t.Errorf("between the layers, the color is %v", got)
	}
	if calls := server.Reads(); calls != 0 {
		t.Errorf("empty tiles caused %d reads", calls)
	}
	strict := servertest.Serve(t, func(c *tilehttp.Config) { c.Empty = layer.EmptyNothing }, near, far)
	if got := strict.GetAs(between, ""); got.Code != http.StatusNoContent {
		t.Errorf("configured 204: status %d", got.Code)
	}
	if got := strict.GetAs(root+"/map?f=png&bbox=50,10,60,20", ""); got.Code != http.StatusOK {
		t.Errorf("an empty map is %d", got.Code)
	}
}
