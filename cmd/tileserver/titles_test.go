package main

import "testing"

func TestTitlesAreNamesOfFiles(t *testing.T) {
	for _, test := range []struct {
		from address
		want string
	}{
		{address{path: "/data/Köln 2019, sheet 7.tif"}, "Köln 2019, sheet 7"},
		{address{path: "/data/ortho.v2.tiff", page: 1}, "ortho.v2"},
		{address{path: "/data/atlas.tif", page: 12}, "atlas, page 12"},
		{address{path: "/data/a\tb\xff\u202e.tif"}, "a b"},
	} {
		if got := titleOf(test.from); got != test.want {
			t.Errorf("the title of %v is %q, want %q", test.from, got, test.want)
		}
	}
}
