package dataset

import (
	"testing"
	"time"

	"tileserver/source/sourcetest"
)

func TestAddresses(t *testing.T) {
	files := sourcetest.NewStore()
	files.Put("a/scan.tif#2", nil, time.Hour)
	files.Put("b.tif", nil, time.Hour)
	for _, test := range []struct {
		text string
		want Address
	}{
		{"a/scan.tif", Address{"a/scan.tif", 1}}, {"a/scan.tif#1", Address{"a/scan.tif", 1}}, {"a/scan.tif#2", Address{"a/scan.tif#2", 1}},
		{"a/scan.tif#3", Address{"a/scan.tif", 3}}, {"a/scan.tif#2#2", Address{"a/scan.tif#2", 2}},
		{"a/scan.tif#", Address{"a/scan.tif#", 1}}, {"a/scan.tif#two", Address{"a/scan.tif#two", 1}}, {"", Address{"", 1}},
	} {
		if got, err := ParseAddress(t.Context(), files, test.text); got != test.want || err != nil {
			t.Errorf("%q: got %v and %v, want %v", test.text, got, err, test.want)
		}
	}
	for _, text := range []string{"b.tif#two", "a/scan.tif#0", "a/scan.tif#-1", "https://example.org/a.tif"} {
		if got, err := ParseAddress(t.Context(), files, text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}
