package layer

import (
	"testing"

	"tileserver/geo"
)

func TestBoundsAcrossTheDateLineExceed180(t *testing.T) {
	for name, test := range map[string]struct{ west, east, wantWest, wantEast float64 }{
		"on maps":                 {10, 20, 10, 20},
		"counted to 360":          {200, 350, -160, -10},
		"across, from the east":   {-180.5, -179, 179.5, 181},
		"across, from the west":   {179.5, 181, 179.5, 181},
		"the world":               {-180, 180, -180, 180},
		"the world, counted on":   {0, 360, -180, 180},
		"the world, and half off": {-180.5, 179.5, -180, 180},
	} {
		got := normalizeLongitudes(geo.Bounds{MinX: test.west, MinY: -1, MaxX: test.east, MaxY: 1})
		if got.MinX != test.wantWest || got.MaxX != test.wantEast {
			t.Errorf("%s: from %v to %v, want %v to %v", name, got.MinX, got.MaxX, test.wantWest, test.wantEast)
		}
	}
}
