//go:build !race

package geotiff

import "testing"

func TestNoAllocation(t *testing.T) {
	img := noisyImage(Uint16, 61, 47, 3)
	img.Coverage = [][]uint8{patchyCoverage(61*47, 1)}
	img.Bands[0].Name, img.Bands[1].Scale = "red & hot", 0.5
	img.Place = &Place{Transform: Affine{A: 1, E: -1}, EPSG: 3857}
	var encoder Encoder
	out, err := encoder.Encode(nil, img)
	if err != nil {
		t.Fatal(err)
	}
	got := testing.AllocsPerRun(10, func() {
		if out, err = encoder.Encode(out[:0], img); err != nil {
			t.Fatal(err)
		}
	})
	if got > 2 { // the text of a scale and an offset
		t.Errorf("%v allocations", got)
	}
}
