package lossless

import (
	"math/rand/v2"
	"testing"
)

// TestPredictions compares with the definitions of the specification, sample by sample.
func TestPredictions(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		left, above, aboveLeft := random.Uint32(), random.Uint32(), random.Uint32()
		toLeft, toAbove := 0, 0
		var want pixel
		for shift := 0; shift < 32; shift += 8 {
			l, a, al := int(left>>shift&255), int(above>>shift&255), int(aboveLeft>>shift&255)
			estimate := l + a - al
			want |= pixel(min(max(estimate, 0), 255)) << shift
			toLeft += max(estimate-l, l-estimate)
			toAbove += max(estimate-a, a-estimate)
		}
		if got := gradient(left, above, aboveLeft); got != want {
			t.Fatalf("gradient of %08x, %08x, %08x: got %08x, want %08x", left, above, aboveLeft, got, want)
		}
		want = above
		if toLeft < toAbove {
			want = left
		}
		if got := selectNearest(left, above, aboveLeft); got != want {
			t.Fatalf("nearer of %08x, %08x, %08x: got %08x, want %08x", left, above, aboveLeft, got, want)
		}
	}
}

// TestModesFollowThePicture checks that a ramp is predicted along its direction.
func TestModesFollowThePicture(t *testing.T) {
	const side = 16
	tests := []struct {
		name string
		at   func(x, y int) uint8
		want mode
	}{
		{"bands from left to right", func(x, y int) uint8 { return uint8(y * y * 37) }, modeLeft},
		{"columns", func(x, y int) uint8 { return uint8(x * x * 37) }, modeAbove},
		{"a plane", func(x, y int) uint8 { return uint8(5*x + 9*y) }, modeGradient},
	}
	for _, test := range tests {
		pixels := make([]pixel, 0, side*side)
		for y := range side {
			for x := range side {
				pixels = append(pixels, opaque|gray(test.at(x, y)))
			}
		}
		modes, activity := make([]mode, 1), make([]uint32, 1)
		chooseModes(modes, activity, pixels, side, 4)
		if modes[0] != test.want || activity[0] != 0 {
			t.Errorf("%s: got mode %d at %d, want %d at 0", test.name, modes[0], activity[0], test.want)
		}
	}
}

func TestMixturesFindShares(t *testing.T) {
	const width, height, blockBits = 70, 50, 5
	random := rand.New(rand.NewPCG(7, 8))
	independent, related := make([]pixel, width*height), make([]pixel, width*height)
	for i := range related {
		green := int32(random.IntN(60) - 30)
		independent[i] = random.Uint32() & 0x1f1f1f1f
		related[i] = pixel(uint8(green*20>>5))<<16 | pixel(uint8(green))<<8 | pixel(uint8(green*-12>>5))
	}
	mixtures := make([]mixture, blocksAcross(width, blockBits)*blocksAcross(height, blockBits))
	if chooseMixtures(mixtures, independent, width, blockBits) {
		t.Error("colors that have nothing to do with each other are mixed")
	}
	if !chooseMixtures(mixtures, related, width, blockBits) {
		t.Fatal("colors that follow from green are not mixed")
	}
	mix(related, width, mixtures, blockBits)
	for i, p := range related {
		if red, blue := int(int8(p>>16)), int(int8(p)); max(red, -red, blue, -blue) > 2 {
			t.Fatalf("pixel %d: %d of red and %d of blue are left", i, red, blue)
		}
	}
}
