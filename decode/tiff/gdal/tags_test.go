package gdal

import (
	"strconv"
	"testing"
)

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
