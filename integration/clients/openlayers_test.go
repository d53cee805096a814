package clients

import (
	"encoding/json"
	"image/color"
	"testing"
)

// openLayers describes how OpenLayers understood the capabilities.
type openLayers struct {
	Projection      string
	Levels          int // of the grid
	Format          string
	Style           string
	RequestEncoding string
}

func showOpenLayers(t *testing.T, v view, settings map[string]any) (shown, openLayers) {
	t.Helper()
	result := everything.show(t, performance{Page: "openlayers", Width: v.width, Height: v.height, Settings: settings})
	var understood openLayers
	if err := json.Unmarshal(result.Value, &understood); err != nil {
		t.Fatal(err)
	}
	return result, understood
}

// wmts returns a source of OpenLayers that reads capabilities.
func wmts(capabilities string, layer knownLayer, matrixSet, requestEncoding string) []any {
	return []any{"WMTS", map[string]any{
		"capabilities": capabilities, "layer": layer.id, "matrixSet": matrixSet, "requestEncoding": requestEncoding,
	}}
}

func TestOpenLayersShowsTiles(t *testing.T) {
	require(t, browserParts...)
	maps := everything.maps(t)
	tests := []struct {
		name   string
		source []any
		asks   string // a text that the addresses of tiles must contain
	}{
		{"XYZ", []any{"XYZ", map[string]any{"url": maps + "/tiles/mercator/{z}/{x}/{y}.png"}}, "/12/2200/1340.png"},
		{"TileJSON", []any{"TileJSON", map[string]any{"url": maps + "/layers/mercator/tilejson.json"}}, "/12/2200/1340.png"},
		{"OGC API", []any{"OGCMapTile", map[string]any{"url": maps + "/ogc/collections/mercator/map/tiles/WebMercatorQuad"}}, "/12/1340/2200"},
		{"WMTS", wmts(maps+"/wmts/1.0.0/WMTSCapabilities.xml", mercator, "WebMercatorQuad", ""), "TileRow=1340"},
		{"WMTS by path", wmts(maps+"/wmts/1.0.0/WMTSCapabilities.xml", mercator, "WebMercatorQuad", "REST"), "/12/1340/2200.png"},
		{"WMTS by parameters", wmts(maps+"/wmts?service=WMTS&request=GetCapabilities", mercator, "WebMercatorQuad", "KVP"), "TileRow=1340"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := overTheCorner
			result, _ := showOpenLayers(t, v, map[string]any{
				"source": test.source, "projection": "EPSG:3857", "center": v.centerMeters(), "resolution": v.resolution(),
			})
			if result.requestsOf(test.asks) == 0 {
				t.Errorf("no request contains %s: %q", test.asks, result.Requests)
			}
			expectation{golden: "corner-of-map", pixel: everywhere(v.mercator)}.check(t, result.screenshot(t))
		})
	}
}

func TestOpenLayersShowsTheLayersOwnGrid(t *testing.T) {
	require(t, browserParts...)
	v := view{width: 400, height: 300}
	const x, y = -30, 200 // offset of the view's corner from the layer's corner
	result, understood := showOpenLayers(t, v, map[string]any{
		"source":     wmts(everything.maps(t)+"/wmts/1.0.0/WMTSCapabilities.xml", utm, "native-utm", ""),
		"projection": "EPSG:32633", "proj4": map[string]any{"EPSG:32633": "+proj=utm +zone=33 +datum=WGS84 +units=m"},
		"center": []float64{utmWest + (x+200)*utmResolution, utmNorth - (y+150)*utmResolution}, "resolution": utmResolution,
	})
	if want := (openLayers{"EPSG:32633", 3, "image/png", "default", "KVP"}); understood != want {
		t.Errorf("OpenLayers understood %+v, want %+v", understood, want)
	}
	expectation{golden: "own-grid", pixel: everywhere(func(column, row int) color.NRGBA {
		return utm.at(column+x, row+y)
	})}.check(t, result.screenshot(t))
}

func TestOpenLayersShowsAnotherProjection(t *testing.T) {
	require(t, browserParts...)
	v := overUTM
	result, _ := showOpenLayers(t, v, map[string]any{
		"source":     wmts(everything.maps(t)+"/wmts/1.0.0/WMTSCapabilities.xml", utm, "WebMercatorQuad", ""),
		"projection": "EPSG:3857", "center": v.centerMeters(), "resolution": v.resolution(),
	})
	expectation{golden: "another-projection", tolerance: utmTolerance, pixel: v.utm}.check(t, result.screenshot(t))
}

// This test detects swapped axes.
func TestOpenLayersShowsDegrees(t *testing.T) {
	require(t, browserParts...)
	maps := everything.maps(t)
	for name, source := range map[string][]any{
		"WMTS":    wmts(maps+"/wmts/1.0.0/WMTSCapabilities.xml", utm, "WorldCRS84Quad", ""),
		"OGC API": {"OGCMapTile", map[string]any{"url": maps + "/ogc/collections/utm/map/tiles/WorldCRS84Quad"}},
	} {
		t.Run(name, func(t *testing.T) {
			v := view{width: 400, height: 300}
			const resolution = 180.0 / 256 / (1 << 12)
			const west, north = -180 + 1135200*resolution, 90 - 208600*resolution
			result, _ := showOpenLayers(t, v, map[string]any{
				"source": source, "projection": "CRS:84", "center": []float64{west + 200*resolution, north - 150*resolution}, "resolution": resolution,
			})
			expectation{golden: "degrees", tolerance: utmTolerance, pixel: func(x, y int) (color.NRGBA, bool) {
				return utmAt(west+(float64(x)+0.5)*resolution, north-(float64(y)+0.5)*resolution)
			}}.check(t, result.screenshot(t))
		})
	}
}
