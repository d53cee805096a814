package clients

import (
	"encoding/json"
	"image/color"
	"testing"
)

// Cesium's default geographic tiling scheme is that of WorldCRS84Quad: two tiles cover the world.
func TestCesiumShowsImagery(t *testing.T) {
	require(t, browserParts...)
	maps := everything.maps(t)
	// WMTS has no tiles outside of a layer's bounds, so Cesium needs the bounds.
	layer := document[struct{ Bounds []float64 }](t, "/layers/utm/tilejson.json")
	tests := []struct {
		name     string
		provider []any
	}{
		{"XYZ", []any{"UrlTemplateImageryProvider", map[string]any{"url": maps + "/tiles/utm/WorldCRS84Quad/{z}/{x}/{y}.png"}}},
		{"WMTS", []any{"WebMapTileServiceImageryProvider", map[string]any{
			"url": maps + "/wmts", "layer": "utm", "style": "default", "format": "image/png", "tileMatrixSetID": "WorldCRS84Quad", "maximumLevel": 12,
		}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			const width, height = 400, 200
			result := everything.show(t, performance{Page: "cesium", Width: width, Height: height, Settings: map[string]any{
				"provider": test.provider, "bounds": layer.Bounds, "rectangle": []float64{14.94, 54.14, 15.02, 54.18},
			}})
			var seen struct{ West, South, East, North float64 }
			if err := json.Unmarshal(result.Value, &seen); err != nil {
				t.Fatal(err)
			}
			pixel := func(x, y int) (color.NRGBA, bool) {
				return utmAt(seen.West+(seen.East-seen.West)*(float64(x)+0.5)/width, seen.North-(seen.North-seen.South)*(float64(y)+0.5)/height)
			}
			expectation{golden: "cesium", tolerance: utmTolerance, pixel: pixel}.check(t, result.screenshot(t))
		})
	}
}
