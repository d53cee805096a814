package masks

import (
	"math/rand/v2"
	"testing"

	"tileserver/raster"
)

// TestAllSet compares AllSet on rectangles of random bits, nearly all of them set, with a check of
// each bit.
func TestAllSet(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	answers := make(map[bool]int)
	for range 3000 {
		width, height := 1+random.IntN(90), 1+random.IntN(9)
		packed := raster.NewBuffer(raster.Uint8, (width+7)/8, height, 1)
		plane := packed.Plane(0)
		for i := range plane {
			plane[i] = 0xFF
		}
		for range random.IntN(2) * random.IntN(40) {
			plane[random.IntN(len(plane))] &^= 1 << random.IntN(8)
		}
		r := raster.Rect{X0: random.IntN(width), Y0: random.IntN(height)}
		r.X1, r.Y1 = r.X0+random.IntN(width-r.X0+1), r.Y0+random.IntN(height-r.Y0+1)
		want := true
		for y := r.Y0; y < r.Y1; y++ {
			for x := r.X0; x < r.X1; x++ {
				want = want && plane[y*packed.Width()+x/8]>>(7-x%8)&1 == 1
			}
		}
		if got := AllSet(packed, r); got != want {
			t.Fatalf("%+v of %d columns: got %v, want %v", r, width, got, want)
		}
		answers[want]++
	}
	if answers[true] < 300 || answers[false] < 300 {
		t.Errorf("too few of a kind: %v", answers)
	}
}

func TestMarkValidTellsZeroFromAllElse(t *testing.T) {
	mask := make([]byte, 1024+5)
	for i := range mask {
		mask[i] = byte(i / 4 * (i % 4)) // every value, with zeros on both sides
	}
	coverage := make([]uint8, len(mask))
	MarkValid(coverage, mask)
	for i, v := range mask {
		if want := v != 0; (coverage[i] == 255) != want || !want && coverage[i] != 0 {
			t.Fatalf("pixel %d with the mask %d has coverage %d", i, v, coverage[i])
		}
	}
}
