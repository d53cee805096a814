//go:build !purego

package lossless

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/integration/processor"
	"tileserver/internal/cpu"
)

// randomPixels returns pixels that are partly smooth, partly extreme, partly noise.
func randomPixels(random *rand.Rand, length int) []pixel {
	pixels := make([]pixel, length)
	var last pixel
	for i := range pixels {
		switch random.IntN(4) {
		case 0:
			last = random.Uint32()
		case 1:
			last += uint32(random.IntN(3)) * 0x01010101
		case 2:
			last = []pixel{0, 0xffffffff, 0xff00ff00, 0x80808080, 0x7f807f80}[random.IntN(5)]
		}
		pixels[i] = last
	}
	return pixels
}

func TestDifferencesAreAsInGo(t *testing.T) {
	processor.Require(t, cpu.Has.AVX2, "AVX2")
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		width, height := 2+random.IntN(70), 2+random.IntN(4)
		pixels := randomPixels(random, width*height)
		for _, m := range candidates {
			start := width + 1 + random.IntN(width-1)
			end := start + random.IntN(2*width-start+1)
			got, want := make([]pixel, len(pixels)), make([]pixel, len(pixels))
			differencesOf(m, got, pixels, start, end, width)
			differencesInGo(m, want, pixels, start, end, width)
			if !slices.Equal(got, want) {
				t.Fatalf("mode %d, width %d, from %d to %d: got %08x, want %08x", m, width, start, end, got, want)
			}
		}
	}
}

func TestCostsAreAsInGo(t *testing.T) {
	processor.Require(t, cpu.Has.AVX2, "AVX2")
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		width, height := 2+random.IntN(70), 2+random.IntN(40)
		pixels := randomPixels(random, width*height)
		area := block{left: 1 + random.IntN(width-1), top: 1 + random.IntN(height-1)}
		area.right, area.bottom = area.left+random.IntN(width-area.left+1), area.top+random.IntN(height-area.top+1)
		var got, want [len(candidates)]uint32
		addCosts(&got, pixels, width, area)
		addCostsInGo(&want, pixels, width, area)
		if got != want {
			t.Fatalf("width %d, %+v: got %v, want %v", width, area, got, want)
		}
	}
}
