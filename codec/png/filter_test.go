package png

import "testing"

// naivePaeth is the predictor as the PNG specification states it.
func naivePaeth(a, b, c int) byte {
	distance := func(v int) int { return max(a+b-c-v, v-a-b+c) }
	if distance(a) <= distance(b) && distance(a) <= distance(c) {
		return byte(a)
	}
	if distance(b) <= distance(c) {
		return byte(b)
	}
	return byte(c)
}

func TestPaethAgainstSpecification(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			for c := range 256 {
				want := naivePaeth(a, b, c)
				lanes := paethLanes(uint64(a)<<48|uint64(b), uint64(b)<<48|uint64(a), uint64(c)<<48|uint64(c))
				if got := paeth(a, b, c); got != want {
					t.Fatalf("paeth(%d, %d, %d) = %d, want %d", a, b, c, got, want)
				}
				if got := byte(lanes >> 48); got != want {
					t.Fatalf("highest lane of %d, %d, %d is %d, want %d", a, b, c, got, want)
				}
			}
		}
	}
}

func TestSubtract(t *testing.T) {
	for length := range 40 {
		row, prediction := noise(length, 1), noise(length, 2)
		got := make([]byte, length)
		subtract(got, row, prediction)
		for i := range got {
			if want := row[i] - prediction[i]; got[i] != want {
				t.Errorf("byte %d of %d is %d, want %d", i, length, got[i], want)
			}
		}
	}
}
