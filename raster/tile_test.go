package raster_test

import (
	"testing"

	"tileserver/raster"
)

// Neighboring bands of a tile are the same pixels, with the same coverage, without a copy.
func TestSomeBandsOfATile(t *testing.T) {
	for name, coverage := range map[string]func(b *raster.Buffer){
		"all valid": func(*raster.Buffer) {},
		"shared":    func(b *raster.Buffer) { b.SetValidity([]uint8{0, 255, 1, 2, 3, 4}) },
		"own":       func(b *raster.Buffer) { copy(b.OwnValidity(2), []uint8{9, 8, 7, 6, 5, 4}) },
	} {
		b := raster.NewBuffer(raster.Uint16, 3, 2, 4)
		for band := range 4 {
			for i := range b.Plane(band) {
				b.Plane(band)[i] = byte(20*band + i)
			}
		}
		coverage(b)
		b.AddDamage(raster.NewDamage([]raster.Loss{{Kind: "tile"}}, false))
		all := b.Freeze()
		for first := range 4 {
			for count := 1; first+count <= 4; count++ {
				some := all.WithBands(first, count)
				some.CheckFrozen()
				if some.Bands() != count || some.Width() != 3 || some.Type() != raster.Uint16 || some.Damage().IsZero() || some.Size() >= all.Size() {
					t.Errorf("%s: bands %d+%d are %d bands of %d bytes", name, first, count, some.Bands(), some.Size())
				}
				for band := range count {
					if string(some.Plane(band)) != string(all.Plane(first+band)) || string(some.Validity(band)) != string(all.Validity(first+band)) {
						t.Errorf("%s: band %d of bands %d+%d differs", name, band, first, count)
					}
				}
			}
		}
		if again := all.WithBands(0, 4); !again.SamePixels(all) {
			t.Errorf("%s: all bands differ", name)
		}
	}
}
