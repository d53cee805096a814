package clients

import "testing"

// overTheCorner shows the corner of the layer and empty tiles around it. It starts at a whole pixel
// on screens of double resolution, too.
var overTheCorner = mercatorView(-111, -71, 400, 300)

func TestLeafletShowsTiles(t *testing.T) {
	require(t, browserParts...)
	maps := everything.maps(t)
	// WMTS has no tiles outside of a layer's bounds, so Leaflet needs the bounds.
	upperLeft, lowerRight := mercatorView(0, 0, 0, 0).degrees(0, 0), mercatorView(mercator.width, mercator.height, 0, 0).degrees(0, 0)
	bounds := map[string]any{"bounds": [2][2]float64{{lowerRight[1], upperLeft[0]}, {upperLeft[1], lowerRight[0]}}}
	tests := []struct {
		name       string
		template   string
		options    map[string]any
		zoom       int
		pixelRatio int
		asks       string // a text that the addresses of tiles must contain
	}{
		{"XYZ", "/tiles/mercator/{z}/{x}/{y}.png", nil, mercatorZoom, 1, "/tiles/mercator/12/2200/1340.png"},
		{"a fine screen", "/tiles/mercator/{z}/{x}/{y}{r}.png", nil, mercatorZoom - 1, 2, "/tiles/mercator/11/1100/670@2x.png"},
		{"WMTS", "/wmts/1.0.0/mercator/default/WebMercatorQuad/{z}/{y}/{x}.png", bounds, mercatorZoom, 1, "/12/1340/2200.png"},
		{"TMS", "/tms/1.0.0/mercator@WebMercatorQuad/{z}/{x}/{y}.png", map[string]any{"tms": true}, mercatorZoom, 1, "/12/2200/2755.png"},
		{"TMS by name", "/tms/1.0.0/mercator@WebMercatorQuad/{z}/{x}/{-y}.png", nil, mercatorZoom, 1, "/12/2200/2755.png"},
		{"a fine screen, finer tiles", "/tiles/mercator/{z}/{x}/{y}.png", map[string]any{"detectRetina": true}, mercatorZoom - 1, 2, "/tiles/mercator/12/2200/1340.png"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			center := overTheCorner.centerDegrees()
			result := everything.show(t, performance{
				Page: "leaflet", Width: overTheCorner.width / test.pixelRatio, Height: overTheCorner.height / test.pixelRatio, PixelRatio: float64(test.pixelRatio),
				Settings: map[string]any{"template": maps + test.template, "options": test.options, "center": []float64{center[1], center[0]}, "zoom": test.zoom},
			})
			if result.requestsOf(test.asks) != 1 {
				t.Errorf("no request or several contain %s: %q", test.asks, result.Requests)
			}
			// The screen shows the layer's pixels, whatever tiles they come from.
			expectation{golden: "corner-of-map", pixel: everywhere(overTheCorner.mercator)}.check(t, result.screenshot(t))
		})
	}
}
