package clients

import (
	"image"
	"image/color"
	"net/http"
	"testing"
)

// MapLibre's zoom counts tiles of 512 pixels.
const mapLibreZoom = mercatorZoom - 1

func showMapLibre(t *testing.T, v view, source, layer map[string]any, allowedStatuses ...int) image.Image {
	t.Helper()
	return everything.show(t, performance{
		Page: "maplibre", Width: v.width, Height: v.height, AllowedStatuses: allowedStatuses,
		Settings: map[string]any{"source": source, "layer": layer, "center": v.centerDegrees(), "zoom": mapLibreZoom},
	}).screenshot(t)
}

func TestMapLibreShowsRasters(t *testing.T) {
	require(t, browserParts...)
	maps := everything.maps(t)
	tiles := func(query string) map[string]any {
		return map[string]any{"type": "raster", "tiles": []string{maps + "/tiles/mercator/{z}/{x}/{y}.png" + query}, "tileSize": 256}
	}
	tests := []struct {
		name    string
		source  map[string]any
		allowed []int // statuses of tiles without data
	}{
		{"TileJSON", map[string]any{"type": "raster", "url": maps + "/layers/mercator/tilejson.json"}, nil},
		{"blank pictures where nothing is", tiles(""), nil},
		{"no content where nothing is", tiles("?empty=204"), nil},
		{"no tiles where nothing is", tiles("?empty=404"), []int{http.StatusNotFound}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := showMapLibre(t, overTheCorner, test.source, map[string]any{
				"type": "raster", "paint": map[string]any{"raster-resampling": "nearest", "raster-fade-duration": 0},
			}, test.allowed...)
			expectation{golden: "corner-of-map", pixel: everywhere(overTheCorner.mercator)}.check(t, got)
		})
	}
}

// The colors of the heights show that MapLibre decodes the heights that are in the file.
func TestMapLibreReadsHeights(t *testing.T) {
	require(t, browserParts...)
	maps := everything.maps(t)
	v := view{mercatorZoom, heightsLeft + 40, heightsTop + 60, 300, 200}
	got := showMapLibre(t, v,
		map[string]any{"type": "raster-dem", "url": maps + "/layers/heights/tilejson.json?algorithm=terrarium", "encoding": "terrarium"},
		map[string]any{"type": "color-relief", "paint": map[string]any{
			"color-relief-color": []any{"interpolate", []string{"linear"}, []string{"elevation"}, 0, "rgb(0,0,0)", 510, "rgb(255,255,255)"},
		}})
	height := func(x, y int) color.NRGBA {
		gray := uint8(heights.value(x+40, y+60, 0) / 2)
		return color.NRGBA{gray, gray, gray, 255}
	}
	const halfGrays = 1 // graphics drivers round half grays up or down
	expectation{golden: "maplibre-heights", tolerance: halfGrays, pixel: everywhere(height)}.check(t, got)
}
