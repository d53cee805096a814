package clients

import (
	"encoding/json"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"
)

// smallerTolerance is the maximum difference of a channel on maps smaller than the layer. Their
// pixels may be a pixel off, and the turns of the waves are rounded off.
const smallerTolerance = 16

// The viewer's code snippets must show the whole layer in the center of the page.
func TestSnippetsOfTheViewerShowTheLayer(t *testing.T) {
	require(t, append(slices.Clone(browserParts), viewerPart)...)
	size := image.Pt(400, 300)
	result := everything.show(t, performance{Script: "snippets", Width: size.X, Height: size.Y, Settings: map[string]any{
		"address": everything.maps(t), "layer": "utm",
	}})
	var clients []string
	if err := json.Unmarshal(result.Value, &clients); err != nil {
		t.Fatal(err)
	}
	bounds := document[struct{ Bounds [4]float64 }](t, "/layers/utm").Bounds
	for i, client := range clients {
		t.Run(client, func(t *testing.T) {
			resolution := wholeOf(bounds, size)
			if client == "leaflet" { // Leaflet has only integer zooms
				resolution = worldWidth / 256 / math.Exp2(math.Floor(math.Log2(worldWidth/256/resolution)))
			}
			picture := decodeScreenshot(t, result.Screenshots[i])
			if err := (expectation{tolerance: smallerTolerance, pixel: utmAround(bounds, size, resolution)}).known(picture); err != nil {
				t.Error(err)
				saveArtifact(t, client, picture)
			}
		})
	}
}

// wholeOf returns the resolution at which bounds in degrees fill a map.
func wholeOf(bounds [4]float64, size image.Point) float64 {
	lower, upper := webMercator(bounds[0], bounds[1]), webMercator(bounds[2], bounds[3])
	return max((upper[0]-lower[0])/float64(size.X), (upper[1]-lower[1])/float64(size.Y))
}

// utmAround returns the expected pixels of a map centered on bounds that shows the layer "utm". The
// controls at the upper left and at the bottom are unknown.
func utmAround(bounds [4]float64, size image.Point, resolution float64) func(x, y int) (color.NRGBA, bool) {
	lower, upper := webMercator(bounds[0], bounds[1]), webMercator(bounds[2], bounds[3])
	return func(x, y int) (color.NRGBA, bool) {
		if x < 50 && y < 90 || y > size.Y-50 {
			return behind, false
		}
		right := (float64(x) + 0.5 - float64(size.X)/2) * resolution
		down := (float64(y) + 0.5 - float64(size.Y)/2) * resolution
		place := degreesOf((lower[0]+upper[0])/2+right, (lower[1]+upper[1])/2-down)
		return utmAt(place[0], place[1])
	}
}
