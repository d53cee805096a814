package geo

import (
	"math"
	"testing"
)

// The lengths of a degree are from geodetic tables for WGS 84.
func TestGroundDistance(t *testing.T) {
	tests := []struct {
		name   string
		a, b   Point
		metres float64
	}{
		{"a hundredth of a degree of longitude on the equator", Point{10, 0}, Point{10.01, 0}, 1113.195},
		{"of latitude on the equator", Point{10, -0.005}, Point{10, 0.005}, 1105.743},
		{"of longitude at 45 degrees", Point{0, 45}, Point{0.01, 45}, 788.468},
		{"of latitude at 45 degrees", Point{0, 44.995}, Point{0, 45.005}, 1111.319},
		{"of latitude at the pole", Point{0, 89.99}, Point{0, 90}, 1116.939},
		{"across the date line", Point{179.995, 0}, Point{-179.995, 0}, 1113.195},
		{"none", Point{3, 4}, Point{3, 4}, 0},
	}
	for _, test := range tests {
		if got := GroundDistance(test.a, test.b); math.Abs(got-test.metres) > 0.002 {
			t.Errorf("%s: %.3f m, want %.3f", test.name, got, test.metres)
		}
	}
}
