package tiff

import (
	"strconv"
	"testing"
)

func TestCoverTellsZeroFromAllElse(t *testing.T) {
	mask := make([]byte, 1024+5)
	for i := range mask {
		mask[i] = byte(i / 4 * (i % 4)) // every value, with zeros on both sides
	}
	coverage := make([]uint8, len(mask))
	markValid(coverage, mask)
	for i, v := range mask {
		if want := v != 0; (coverage[i] == 255) != want || !want && coverage[i] != 0 {
			t.Fatalf("pixel %d with the mask %d has coverage %d", i, v, coverage[i])
		}
	}
}

func TestNoDataAsOneLibraryWritesInfinity(t *testing.T) {
	for text, want := range map[string]string{"1.#INF": "+Inf", "-1.#INF": "-Inf", "1.#QNAN": "NaN", "-1.#IND": "NaN", " -9999 ": "-9999", "0\x00": "none", "": "none"} {
		value, ok := parseNoData(text)
		got := "none"
		if ok {
			got = strconv.FormatFloat(value, 'g', -1, 64)
		}
		if got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
