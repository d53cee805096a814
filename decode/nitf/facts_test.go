package nitf

import (
	"slices"
	"testing"

	"tileserver/decode/container"
	"tileserver/decode/nitf/nitftest"
)

// The facts say why an image that is sound shows nothing, or lies nowhere.
func TestNotesExplain(t *testing.T) {
	none := func(int, int, int) bool { return true }
	for name, test := range map[string]struct {
		image nitftest.Image
		want  string
	}{
		"nothing stored": {nitftest.Image{Compression: "NM", Missing: none}, "no block of image segment 1 is stored, by its mask: all of its pixels are nodata"},
		"rounded corners": {
			nitftest.Image{Coordinates: "G", Corners: [4][2]float64{{50, 14}, {50, 14.00001}, {49.99999, 14.00001}, {49.99999, 14}}},
			"the corners of image segment 1 fall on 1 point, too few to place it",
		},
	} {
		for _, m := range []nitftest.Image{test.image, {}} {
			f := open(t, nitftest.File{Images: []nitftest.Image{m}}.Bytes())
			facts, err := container.Describe(t.Context(), f, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			isExpected := m.Compression != "" || m.Coordinates != ""
			if slices.Contains(facts.Notes, test.want) != isExpected {
				t.Errorf("%s: notes %q, want %q: %v", name, facts.Notes, test.want, isExpected)
			}
		}
	}
}
