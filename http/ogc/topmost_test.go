package ogc_test

import (
	"fmt"
	"image/color"
	"net/http"
	"strings"
	"testing"

	"tileserver/display"
	codes "tileserver/display/terrain"
	"tileserver/geo"
	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

// topmostPlace is the area of the layers in these tests; the addresses are a tile and a map of it.
var topmostPlace = geo.Bounds{MinX: 2, MinY: 40, MaxX: 22, MaxY: 50}

const (
	topmostTile = "/map/tiles/WorldCRS84Quad/3/1/8?f=png" // from 0 to 22.5 east, 45 to 67.5 north
	topmostMap  = "/map?f=png&bbox=5,46,10,49&width=50&height=30"
)

// deepScene is a layer with pictures of 16 bits.
func deepScene() servertest.Scene {
	s := servertest.Flat("deep", raster.RGBA{R: 9, A: 255}, topmostPlace)
	s.Config.Styles, s.Config.Style = nil, style.Style{Spec: display.Spec{Bands: []int{0, 1, 2}, Deep: true}}
	return s
}

// codedScene is a layer whose colors encode heights.
func codedScene() servertest.Scene {
	s := servertest.Flat("coded", raster.RGBA{}, topmostPlace)
	s.Provider.Has = rastertest.Flat(raster.Float32, 200, 100, 1, 64, 64)
	s.Provider.Sample = func(_, _, _, _ int) (float64, bool) { return 1234, true }
	coded := codes.DefaultParameters(codes.ModeTerrainRGB)
	s.Config.Styles, s.Config.Style = nil, style.Style{Spec: display.Spec{Relief: &coded}}
	return s
}

// A client that does not choose layers gets the maximum number of layers. Layers that cannot be
// drawn over others are skipped.
func TestDatasetStacksTopmostLayers(t *testing.T) {
	blue, blueOverRed := color.NRGBA{B: 240, A: 51}, color.NRGBA{R: 160, B: 48, A: 255}
	for between, want := range map[int]color.NRGBA{0: blueOverRed, layer.MaxStackLayers - 2: blueOverRed, layer.MaxStackLayers - 1: blue} {
		all := []servertest.Scene{servertest.Flat("lowest", raster.RGBA{R: 200, A: 255}, topmostPlace)}
		for i := range between {
			all = append(all, servertest.Flat(fmt.Sprint("clear-", i), raster.RGBA{}, topmostPlace))
		}
		all = append(all, deepScene(), servertest.Flat("top", raster.RGBA{B: 240, A: 51}, topmostPlace), codedScene())
		server := servertest.Serve(t, nil, all...)
		for path, at := range map[string][2]int{topmostTile: {85, 227}, topmostMap: {20, 15}} {
			if got := colorOf(t, server.GetAs(root+path, ""), at[0], at[1]); maxDifference(got, want) > 1 {
				t.Errorf("with %d layers between: %s is %v, want %v", between, path, got, want)
			}
		}
	}
}

func TestSelectedLayersThatCannotBeStacked(t *testing.T) {
	server := servertest.Serve(t, nil, servertest.Flat("top", raster.RGBA{B: 240, A: 51}, topmostPlace), deepScene(), codedScene())
	for query, want := range map[string]int{
		"":                       http.StatusOK,
		"&collections=top":       http.StatusOK,
		"&collections=top,deep":  http.StatusBadRequest,
		"&collections=coded,top": http.StatusBadRequest,
		"&collections=coded":     http.StatusOK, // as the only layer
		"&collections=top,none":  http.StatusNotFound,
		"&expression=b1/b9":      http.StatusBadRequest, // supported by no layer
		"&rescale=many":          http.StatusBadRequest,
		"&rescale=0,510&bidx=1":  http.StatusOK,
		"&style=none":            http.StatusBadRequest,
	} {
		for _, path := range []string{topmostTile, topmostMap} {
			if got := server.GetAs(root+path+query, ""); got.Code != want {
				t.Errorf("%s is %d, want %d: %.200s", path+query, got.Code, want, got.Body)
			}
		}
	}
}

// A client that selects too many layers is told by which parameter to select fewer.
func TestTooManySelectedLayers(t *testing.T) {
	const layers = layer.MaxStackLayers + 1
	server := servertest.New(t, nil)
	server.AddMany(t, layers)
	ids := make([]string, layers)
	for i := range ids {
		ids[i] = fmt.Sprint("crowd-", i)
	}
	got := decodeProblem(t, server.GetAs(root+topmostTile+"&collections="+strings.Join(ids, ","), ""))
	if want := "17 layers are too many for one map; select at most 16 with collections=a,b"; got.Status != http.StatusBadRequest || got.Detail != want {
		t.Errorf("%d %s, want %s", got.Status, got.Detail, want)
	}
}

// The dataset is empty if none of its layers can be drawn over others.
func TestDatasetWithoutStackableLayers(t *testing.T) {
	server := servertest.Serve(t, nil, codedScene(), deepScene())
	for path, want := range map[string]int{topmostTile: 200, topmostTile + "&empty=204": 204, topmostMap: 200} {
		if got := server.GetAs(root+path, ""); got.Code != want {
			t.Errorf("%s is %d, want %d: %.200s", path, got.Code, want, got.Body)
		}
	}
}
