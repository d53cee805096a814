package colormap_test

import (
	"testing"

	"tileserver/display/colormap"
)

func TestGroupOf(t *testing.T) {
	for name, want := range map[string]colormap.Group{
		"viridis": colormap.Sequential, "rdylgn": colormap.Diverging, "rdylgn_r": colormap.Diverging, "terrain": colormap.Heights,
		"turbo": colormap.Rainbows, "tab20c": colormap.Classes, "twilight": colormap.Cyclic,
	} {
		if got := colormap.GroupOf(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestCyclicMapsClose(t *testing.T) {
	const near = 40
	for _, name := range colormap.Names() {
		colors, ok := colormap.Named(name)
		if !ok {
			t.Fatalf("there is no map %s", name)
		}
		first, last := colors[0], colors[255]
		for _, pair := range [][2]uint8{{first.R, last.R}, {first.G, last.G}, {first.B, last.B}} {
			if colormap.GroupOf(name) == colormap.Cyclic && max(pair[0], pair[1])-min(pair[0], pair[1]) > near {
				t.Errorf("%s goes from %v to %v", name, first, last)
			}
		}
	}
}
