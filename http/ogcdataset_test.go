package http_test

import (
	"image/color"
	"net/http"
	"net/http/httptest"
	"testing"

	"tileserver/geo"
	"tileserver/layer"
	"tileserver/raster"

	tilehttp "tileserver/http"
)

// mapOfBoth shows the right half of one layer under the left half of the other in 60 by 20 pixels.
const mapOfBoth = "?f=png&bbox=2,40,32,50&width=60&height=20"

func colorOf(t *testing.T, got *httptest.ResponseRecorder, x, y int) color.NRGBA {
	t.Helper()
	if got.Code != http.StatusOK {
		t.Fatalf("got %d: %s", got.Code, got.Body)
	}
	img, _ := decodeImage(t, got)
	return color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
}

func TestDatasetStacksAllLayers(t *testing.T) {
	red, blue := color.NRGBA{R: 200, A: 255}, color.NRGBA{B: 240, A: 51}
	blueOverRed, redOverBlue := color.NRGBA{R: 160, B: 48, A: 255}, red
	w := mapWorld(t)
	for query, want := range map[string][3]color.NRGBA{ // at red alone, both, blue alone
		"":                       {red, blueOverRed, blue},
		"&collections=red,blue":  {red, blueOverRed, blue},
		"&collections=blue,red":  {red, redOverBlue, blue},
		"&collections=red":       {red, red, {}},
		"&collections=blue":      {{}, blue, blue},
		"&collections=blue,blue": {{}, blue, blue},
		"&collections=" + ogcRoot + "/collections/red": {red, red, {}},
		"&transparent=false":                           {red, blueOverRed, {R: 204, G: 204, B: 252, A: 255}},
	} {
		got := w.ask(ogcRoot+"/map"+mapOfBoth+query, "")
		for i, x := range []int{10, 30, 50} {
			if c := colorOf(t, got, x, 10); maxDifference(c, want[i]) > 1 {
				t.Errorf("%q at %d: got %v, want %v", query, x, c, want[i])
			}
		}
	}
}

func TestDatasetWithOneLayerSharesItsPicture(t *testing.T) {
	w := mapWorld(t)
	for alone, of := range map[string]string{
		"/collections/red/map?f=png&bbox=3,41,8,44":                       "/map?f=png&bbox=3,41,8,44", // blue does not reach this box
		"/collections/red/map" + mapOfBoth:                                "/map" + mapOfBoth + "&collections=red",
		"/collections/blue/styles/default/map/tiles/WorldCRS84Quad/3/1/9": "/map/tiles/WorldCRS84Quad/3/1/9?collections=blue",
	} {
		own, got := w.ask(ogcRoot+alone, ""), w.ask(ogcRoot+of, "")
		if own.Code != http.StatusOK || got.Header().Get("ETag") != own.Header().Get("ETag") || got.Header().Get("X-Cache") == "MISS" {
			t.Errorf("%s is %d, %s, %s; %s is %s", of, got.Code, got.Header().Get("ETag"), got.Header().Get("X-Cache"), alone, own.Header().Get("ETag"))
		}
	}
}

func TestTilesOfTheDataset(t *testing.T) {
	w := mapWorld(t)
	address := ogcRoot + "/map/tiles/WorldCRS84Quad/3/1/9?f=png" // from 22.5 east: blue alone
	both := ogcRoot + "/map/tiles/WorldCRS84Quad/3/1/8?f=png"    // from 0 to 22.5 east, 45 to 67.5 north
	if got := colorOf(t, w.ask(address, ""), 50, 230); maxDifference(got, color.NRGBA{B: 240, A: 51}) > 1 {
		t.Errorf("a tile of one layer is %v", got)
	}
	first := w.ask(both, "")
	if got := colorOf(t, first, 200, 230); maxDifference(got, color.NRGBA{R: 160, B: 48, A: 255}) > 1 {
		t.Errorf("a tile of both layers is %v", got)
	}
	if second := w.ask(both, ""); first.Header().Get("X-Cache") != "MISS" || second.Header().Get("X-Cache") != "HIT" {
		t.Errorf("the first is a %s, and the second a %s", first.Header().Get("X-Cache"), second.Header().Get("X-Cache"))
	}
	r := httptest.NewRequest(http.MethodGet, both, nil)
	r.Header.Set("If-None-Match", first.Header().Get("ETag"))
	if got := w.do(r); got.Code != http.StatusNotModified || first.Header().Get("Cache-Control") == "" {
		t.Errorf("revalidation: status %d", got.Code)
	}
	if got := w.ask(both+"&bidx=1&rescale=0,400", ""); maxDifference(colorOf(t, got, 100, 230), color.NRGBA{R: 128, G: 128, B: 128, A: 255}) > 1 {
		t.Errorf("in a style of the query, a tile is %v", colorOf(t, got, 100, 230))
	}
}

// A tile within the limits in which no layer has pixels is blank, or the configured answer.
func TestEmptyTilesOfTheDataset(t *testing.T) {
	far := flatScene("far", raster.RGBA{G: 9, A: 255}, geo.Bounds{MinX: 120, MinY: -30, MaxX: 130, MaxY: -20})
	near := flatScene("near", raster.RGBA{R: 200, A: 255}, geo.Bounds{MinX: 2, MinY: 40, MaxX: 22, MaxY: 50})
	const between = ogcRoot + "/map/tiles/WorldCRS84Quad/3/3/12?f=png"
	w := worldOf(t, nil, near, far)
	for query, status := range map[string]int{"": 200, "&empty=blank": 200, "&empty=204": 204, "&empty=404": 404} {
		if got := w.ask(between+query, ""); got.Code != status {
			t.Errorf("%q: status %d, want %d", query, got.Code, status)
		}
	}
	if got := colorOf(t, w.ask(between, ""), 128, 128); got != (color.NRGBA{}) {
		t.Errorf("between the layers, the color is %v", got)
	}
	if calls := w.calls(); calls != 0 {
		t.Errorf("empty tiles caused %d reads", calls)
	}
	strict := worldOf(t, func(c *tilehttp.Config) { c.Empty = layer.EmptyNothing }, near, far)
	if got := strict.ask(between, ""); got.Code != http.StatusNoContent {
		t.Errorf("configured 204: status %d", got.Code)
	}
	if got := strict.ask(ogcRoot+"/map?f=png&bbox=50,10,60,20", ""); got.Code != http.StatusOK {
		t.Errorf("an empty map is %d", got.Code)
	}
}
