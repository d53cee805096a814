package decoder

import (
	"math/rand/v2"
	"testing"
)

// TestQuadsMatchSingleSamples compares operations on four samples with the same operations on one.
func TestQuadsMatchSingleSamples(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	sample := func(p uint32, i int) int { return int(p >> (8 * i) & 0xff) }
	for range 200_000 {
		left, top, topLeft := random.Uint32(), random.Uint32(), random.Uint32()
		if random.IntN(2) == 0 {
			top, topLeft = left^random.Uint32()&0x03030303, left^random.Uint32()&0x0f0f0f0f
		}
		l, u, c := unpack(left), unpack(top), unpack(topLeft)
		gradient, half := (l + u + offset - c).inRange().pack(), halfGradient(l, c).pack()
		toLeft, toTop := 0, 0
		for i := range 4 {
			a, b, corner := sample(left, i), sample(top, i), sample(topLeft, i)
			if got, want := sample(gradient, i), min(max(a+b-corner, 0), 255); got != want {
				t.Fatalf("gradient of %d, %d and %d: %d, want %d", a, b, corner, got, want)
			}
			if got, want := sample(half, i), min(max(a+(a-corner)/2, 0), 255); got != want {
				t.Fatalf("half gradient of %d and %d: %d, want %d", a, corner, got, want)
			}
			toLeft += max(b-corner, corner-b)
			toTop += max(a-corner, corner-a)
		}
		want := top
		if toLeft < toTop {
			want = left
		}
		if got := selectNearest(l, u, c).pack(); got != want {
			t.Fatalf("of %08x and %08x nearer to %08x: %08x, want %08x", left, top, topLeft, got, want)
		}
	}
}
