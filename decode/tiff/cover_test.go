package tiff

import "testing"

func TestCoverTellsZeroFromAllElse(t *testing.T) {
	mask := make([]byte, 1024+5)
	for i := range mask {
		mask[i] = byte(i / 4 * (i % 4)) // every value, with zeros on both sides
	}
	coverage := make([]uint8, len(mask))
	cover(coverage, mask)
	for i, v := range mask {
		if want := v != 0; (coverage[i] == 255) != want || !want && coverage[i] != 0 {
			t.Fatalf("pixel %d with the mask %d has coverage %d", i, v, coverage[i])
		}
	}
}
