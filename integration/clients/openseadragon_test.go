package clients

import (
	"encoding/json"
	"image"
	"image/color"
	"testing"
)

// cutCorner is the lower right corner of the layer, where tiles are cut off.
var cutCorner = image.Rect(801, 329, 801+300, 329+220)

const (
	nextPixel = 4 // OpenSeadragon stretches tiles by a pixel to avoid gaps; this is the color difference to the next pixel
	jpegLoss  = 10
)

func TestOpenSeadragonShowsPixels(t *testing.T) {
	require(t, browserParts...)
	maps := everything.maps(t)
	tests := []struct {
		name      string
		source    any
		asks      string // a text that the addresses of tiles must contain
		tolerance int
	}{
		{"DZI", maps + "/dzi/nowhere.dzi?format=png", "/dzi/nowhere_files/11/4_2.png", nextPixel},
		{"DZI as it is given", maps + "/dzi/nowhere.dzi", "/dzi/nowhere_files/11/4_2.jpg", nextPixel + jpegLoss},
		{"IIIF", maps + "/iiif/nowhere/info.json", "/iiif/nowhere/1024,512,7,5/7,5/0/default.jpg", nextPixel + jpegLoss},
		{"Zoomify", map[string]any{
			"type": "zoomifytileservice", "width": nowhere.width, "height": nowhere.height, "fileFormat": "png", "tilesUrl": maps + "/zoomify/nowhere/",
		}, "/zoomify/nowhere/TileGroup0/3-4-2.png", nextPixel},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result := everything.show(t, performance{
				Page: "openseadragon", Width: cutCorner.Dx(), Height: cutCorner.Dy(),
				Settings: map[string]any{
					"source":    test.source,
					"rectangle": []int{cutCorner.Min.X, cutCorner.Min.Y, cutCorner.Dx(), cutCorner.Dy()},
				},
			})
			if result.requestsOf(test.asks) == 0 {
				t.Errorf("no request contains %s: %q", test.asks, result.Requests)
			}
			var opened struct{ Width, Height int }
			if err := json.Unmarshal(result.Value, &opened); err != nil || opened.Width != nowhere.width || opened.Height != nowhere.height {
				t.Errorf("an image of %+v was opened, %v", opened, err)
			}
			pixels := func(x, y int) (c color.NRGBA, known bool) {
				x, y = x+cutCorner.Min.X, y+cutCorner.Min.Y
				return nowhere.at(x, y), x != nowhere.width && y != nowhere.height // the last tiles are stretched over these pixels
			}
			expectation{golden: "corner-of-image", tolerance: test.tolerance, pixel: pixels}.check(t, result.screenshot(t))
		})
	}
}
