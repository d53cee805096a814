package imageapi

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestInformation(t *testing.T) {
	image := Image{Width: 601, Height: 499, Limits: Limits{400, 400, 100000}}
	body := image.Information("https://maps.example/iiif/scene", 256, "png")
	if !strings.HasPrefix(string(body), `{"@context":"http://iiif.io/api/image/3/context.json"`) {
		t.Errorf("the context is not first: %s", body)
	}
	var got map[string]any
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	size := func(width, height float64) any { return map[string]any{"width": width, "height": height} }
	for name, want := range map[string]any{
		"id": "https://maps.example/iiif/scene", "type": "ImageService3", "protocol": "http://iiif.io/api/image", "profile": "level2",
		"width": 601.0, "height": 499.0, "maxWidth": 400.0, "maxHeight": 400.0, "maxArea": 100000.0,
		"sizes":            []any{size(76, 63), size(151, 125), size(301, 250)},
		"tiles":            []any{map[string]any{"width": 256.0, "height": 256.0, "scaleFactors": []any{1.0, 2.0, 4.0}}},
		"preferredFormats": []any{"png"}, "extraFormats": []any{"webp"}, "extraQualities": []any{"color", "gray", "bitonal"},
	} {
		if !reflect.DeepEqual(got[name], want) {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
}

// Everything that the document offers can be requested.
func TestListedSizesAndTilesAreValid(t *testing.T) {
	for _, image := range []Image{
		{1, 1, generous, false, nil}, {5, 70000, generous, false, nil}, {601, 499, Limits{300, 300, 40000}, false, nil}, {100000, 90000, generous, false, nil},
	} {
		var document information
		if err := json.Unmarshal(image.Information("", 256, "jpg"), &document); err != nil {
			t.Fatal(err)
		}
		if len(document.Sizes) == 0 {
			t.Errorf("%v has no sizes", image)
		}
		for _, s := range document.Sizes {
			if got, err := image.parseSize(Image{Limits: generous}.canonicalSize(Size(s), Region{Width: maxNumber, Height: maxNumber}), Region{0, 0, image.Width, image.Height}); err != nil || got != Size(s) {
				t.Errorf("%v offers %v and has %v, %v", image, s, got, err)
			}
		}
		factors := document.Tiles[0].ScaleFactors
		if coarsest := factors[len(factors)-1]; max(image.Width, image.Height) > coarsest*256 {
			t.Errorf("%v: the coarsest scale %d is more than a tile", image, coarsest)
		}
	}
}
