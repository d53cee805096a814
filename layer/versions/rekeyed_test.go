package versions

import (
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// partlyWindowed has windows of the first level only.
type partlyWindowed struct{ *rastertest.SyntheticWindows }

func (partlyWindowed) HasWindows(level int) bool { return level == 0 }

func TestRekeyedPassesCapabilitiesOn(t *testing.T) {
	rastertest.CheckWrapper(t, rastertest.Speckled(), new(Keys).rekey)
}

// A rekeyed provider has the same windows as the provider it wraps.
func TestRekeyedWindows(t *testing.T) {
	blocks := &rastertest.Synthetic{Name: "scene@1", Has: rastertest.Flat(raster.Uint8, 90, 70, 2, 32, 32), Sample: func(_, band, x, y int) (float64, bool) {
		return float64(x + y + band), true
	}}
	windowed := partlyWindowed{&rastertest.SyntheticWindows{Synthetic: blocks}}
	for _, test := range []struct {
		name   string
		source raster.Provider
		want   []bool // by level
	}{{"blocks", blocks, []bool{false, false}}, {"windows of one level", windowed, []bool{true, false}}} {
		p := new(Keys).rekey(test.source).(raster.WindowProvider)
		for level, want := range test.want {
			if got := p.HasWindows(level); got != want {
				t.Errorf("%s: level %d has windows: %v", test.name, level, got)
			}
		}
	}
	rect := raster.Rect{X0: 30, Y0: 20, X1: 40, Y1: 25}
	tile, err := new(Keys).rekey(windowed).(raster.WindowProvider).Window(t.Context(), 0, rect, []int{1})
	if err != nil || tile.Width() != 10 || tile.Height() != 5 || windowed.WindowsMade() != 1 {
		t.Fatalf("%d x %d pixels of %d windows: %v", tile.Width(), tile.Height(), windowed.WindowsMade(), err)
	}
	if got, _ := tile.At(0, 3, 2); got != 30+3+20+2+1 {
		t.Errorf("a pixel is %v", got)
	}
}
