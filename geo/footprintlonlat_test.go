package geo

import (
	"math"
	"testing"
)

func TestLongitudesContinueBeyondTheDateLine(t *testing.T) {
	for _, test := range []struct {
		name       string
		code       int
		bounds     Bounds
		west, east float64 // roughly
	}{
		{"UTM 60 across it", 32660, Bounds{600_000, 0, 900_000, 300_000}, 177.9, 180.6},
		{"UTM 1 across it", 32601, Bounds{100_000, 0, 400_000, 300_000}, -180.6, -177.9},
		{"Mercator up to it", 3857, Bounds{19_000_000, 0, 20_000_000, 1_000_000}, 170.7, 179.7},
		{"Europe", 3035, Bounds{4_000_000, 3_000_000, 4_100_000, 3_100_000}, 5.4, 6.9},
		{"around the north pole", 3413, Bounds{-100_000, -100_000, 100_000, 100_000}, -180, 180},
		{"beside the pole, across it", 3413, Bounds{-1_600_000, 1_500_000, -1_400_000, 1_700_000}, 174.5, 181.8},
	} {
		b := NewFootprint(system(t, test.code), test.bounds).LonLat()
		if math.Abs(b.MinX-test.west) > 0.3 || math.Abs(b.MaxX-test.east) > 0.3 {
			t.Errorf("%s: from %v to %v, want about %v to %v", test.name, b.MinX, b.MaxX, test.west, test.east)
		}
	}
}
