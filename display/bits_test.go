package display_test

import (
	"testing"

	"tileserver/display"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// The largest sample of the bits in use is white.
func TestSamplesOfFewBitsReachWhite(t *testing.T) {
	for bits, white := range map[int]uint8{0: 255, 1: 1, 2: 3, 4: 15, 7: 127, 8: 255} {
		info := rastertest.Flat(raster.Uint8, 3, 1, 1, 3, 1)
		info.Bits = bits
		resolved, err := display.Spec{}.Resolve(&info)
		if err != nil {
			t.Fatal(err)
		}
		chain, err := display.Compile(resolved, nil)
		if err != nil {
			t.Fatal(err)
		}
		b := raster.NewBuffer(raster.Uint8, 3, 1, 1)
		copy(raster.Writable[uint8](b, 0), []uint8{0, white / 2, white})
		picture, err := chain.Render(b.Freeze(), nil)
		if err != nil {
			t.Fatal(err)
		}
		want := uint8((float64(white/2)*255)/float64(white) + 0.5)
		if got := picture.Pix[:3]; got[0] != 0 || got[1] != want || got[2] != 255 {
			t.Errorf("%d bits: 0, %d and %d are shown as %v, want 0, %d, 255", bits, white/2, white, got, want)
		}
	}
}
