package clients

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// addressAnswer is the result of scripts/address.mjs.
type addressAnswer struct {
	Told struct {
		Notice, Hash         string
		CanTryAgain, IsBlank bool
	}
	Phone struct {
		IsFolded, IsOpen                    bool
		Lines                               int
		Position                            string
		FoldedHeight, ButtonsLeft, InkRight float64
	}
}

// An address with an invalid style shows the default style and a message. An address without
// visible data shows a notice. On a phone, no control covers the layer.
func TestTheViewerHandlesInvalidAddresses(t *testing.T) {
	require(t, append(slices.Clone(browserParts), viewerPart)...)
	folder := everything.folderOf(t, "addresses")
	layers := knownLayers()
	writeTIFF(t, folder, "heights.tif", layers[heights.id])
	writeTIFF(t, folder, "empty.tif", emptyLayer())
	s := start(t, everything.program(t), folder)
	defer s.stop()
	result := everything.show(t, performance{Script: "address", Width: 1200, Height: 800, AllowedStatuses: []int{400}, Settings: map[string]any{
		"address": s.address, "misnamed": "heights?expression=b1-rad", "blank": []string{"empty", "heights/11/10/10"},
	}})
	var a addressAnswer
	if err := json.Unmarshal(result.Value, &a); err != nil {
		t.Fatal(err)
	}
	if got := a.Told; !strings.Contains(got.Notice, `no band "rad"`) || !strings.Contains(got.Notice, "shown as usual") || got.CanTryAgain || got.IsBlank || strings.Contains(got.Hash, "?") {
		t.Errorf("for a missing band, the page shows %+v, want its name and the layer in the default style", got)
	}
	if asked := result.requestsOf("rad"); asked != 1 {
		t.Errorf("a rejected request was sent %d times, want once", asked)
	}
	a.checkPhone(t)
}

// emptyLayer returns the layer "heights" with nodata only.
func emptyLayer() tifftest.Image {
	image := knownLayers()[heights.id]
	image.Value = func(x, y, _ int) float64 { return -9999 }
	image.Tags = append(slices.Clone(image.Tags), tifftest.Tag{ID: 42113, Value: "-9999"})
	return image
}

func (a *addressAnswer) checkPhone(t *testing.T) {
	t.Helper()
	const chip = 44 // pixels, as high as a button
	got := a.Phone
	if !got.IsFolded || !got.IsOpen || got.FoldedHeight > chip {
		t.Errorf("the legend on a phone is %+v, want it collapsed until it is tapped, and at most %d pixels high", got, chip)
	}
	if got.Lines != 1 || got.Position == "" {
		t.Errorf("the position %q takes %d lines", got.Position, got.Lines)
	}
	if got.InkRight < 100 || got.InkRight > got.ButtonsLeft {
		t.Errorf("the layer ends at %v, the buttons begin at %v", got.InkRight, got.ButtonsLeft)
	}
}
