package clients

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"
	"testing"
)

// viewerAnswer is the result of scripts/viewer.mjs except for its pictures.
type viewerAnswer struct {
	Names, Layers          []string
	Shared, Switched, Back string
	Current                []string
	Overflow               int // pixels by which the page is wider than a phone's screen
}

func TestViewer(t *testing.T) {
	require(t, append(slices.Clone(browserParts), viewerPart)...)
	center := view{mercatorZoom, heightsLeft + middleColumn, heightsTop + middleRow, 0, 0}.centerDegrees()
	result := everything.show(t, performance{Script: "viewer", Width: 1200, Height: 800, Settings: map[string]any{
		"address": everything.maps(t), "place": fmt.Sprintf("heights/%d/%.7f/%.7f", mercatorZoom, center[0], center[1]),
	}})
	var answer viewerAnswer
	if err := json.Unmarshal(result.Value, &answer); err != nil {
		t.Fatal(err)
	}
	pictures := make(map[string]image.Image)
	for i, name := range answer.Names {
		pictures[name] = decodeScreenshot(t, result.Screenshots[i])
	}
	t.Cleanup(func() {
		for name, picture := range pictures {
			if t.Failed() {
				saveArtifact(t, "viewer-"+name, picture)
			}
		}
	})
	answer.check(t)

	for name, limits := range map[string][2]float64{"opened": heightsBetween(0, 1), "stretched": heightsBetween(0.02, 0.98)} {
		if err := (expectation{tolerance: webPLoss, pixel: everywhere(grays(limits))}).known(middleOf(pictures[name])); err != nil {
			t.Errorf("%s, from %v: %v", name, limits, err)
		}
	}
	for _, name := range []string{"shared", "back"} {
		if err := comparePictures(middleOf(pictures[name]), middleOf(pictures["stretched"]), 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if comparePictures(middleOf(pictures["opened"]), middleOf(pictures["stretched"]), webPLoss) == nil {
		t.Error("another stretch shows the same pixels")
	}
	if err := isUTM(middleOf(pictures["switched"])); err != nil {
		t.Errorf("the other layer: %v", err)
	}
}

// webPLoss is the maximum difference of a channel in lossy WebP tiles.
const webPLoss = 8

// heightsBetween returns two quantiles of the layer "heights", given as shares from 0 to 1.
func heightsBetween(low, high float64) [2]float64 {
	var all []float64
	for _, place := range everyPlace(image.Rect(0, 0, heights.width, heights.height)) {
		all = append(all, heights.value(place.X, place.Y, 0))
	}
	slices.Sort(all)
	last := float64(len(all) - 1)
	return [2]float64{all[int(last*low)], all[int(last*high)]}
}

// middleColumn and middleRow are the pixel of the layer "heights" in the center of the map. Its
// height is low, so that another stretch changes its color.
const middleColumn, middleRow = 130, 100

// grays returns the expected pixels in the center of the map, for limits from black to white.
func grays(limits [2]float64) func(x, y int) color.NRGBA {
	return func(x, y int) color.NRGBA {
		height := heights.value(middleColumn-middle/2+x, middleRow-middle/2+y, 0)
		gray := uint8(255*max(0, height-limits[0])/(limits[1]-limits[0]) + 0.5)
		return color.NRGBA{gray, gray, gray, 255}
	}
}

// isUTM returns an error unless all pixels have the blue and alpha of the layer "utm".
func isUTM(picture image.Image) error {
	return expectation{tolerance: webPLoss, pixel: everywhere(func(x, y int) color.NRGBA {
		seen := colorAt(picture, x, y)
		return color.NRGBA{seen.R, seen.G, 60, 255}
	})}.known(picture)
}

// check checks the texts and addresses of the page.
func (a viewerAnswer) check(t *testing.T) {
	t.Helper()
	slices.Sort(a.Layers)
	if want := []string{"heights", "mercator", "nowhere", "utm"}; !slices.Equal(a.Layers, want) {
		t.Errorf("the list has %q, want %q", a.Layers, want)
	}
	if !strings.Contains(a.Shared, "#heights/12.00/") || !strings.Contains(a.Shared, "stretch=percentile") {
		t.Errorf("the address of another stretch is %s", a.Shared)
	}
	if !strings.Contains(a.Switched, "#utm") || !slices.Equal(a.Current, []string{"utm"}) {
		t.Errorf("the address of the other layer is %s, the layer shown %q", a.Switched, a.Current)
	}
	if a.Back != a.Shared {
		t.Errorf("going back leads to %s, want %s", a.Back, a.Shared)
	}
	if a.Overflow > 0 {
		t.Errorf("on a phone the page is %d pixels too wide", a.Overflow)
	}
}

// middle is the side of the square in the center of a map that no control covers, in pixels.
const middle = 160

func middleOf(picture image.Image) image.Image {
	corner := picture.Bounds().Size().Div(2).Sub(image.Pt(middle/2, middle/2))
	cut := image.NewNRGBA(image.Rect(0, 0, middle, middle))
	draw.Draw(cut, cut.Bounds(), picture, corner, draw.Src)
	return cut
}
