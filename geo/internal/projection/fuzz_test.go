package projection

import (
	"maps"
	"math"
	"slices"
	"testing"
)

// FuzzProjections: a point is outside, or a longitude with a latitude that ends about at the poles. Transforms drop what is beyond.
func FuzzProjections(f *testing.F) {
	f.Add(uint8(0), 40., 10., 30., 50., 0.9, 20., 0.3, 0.7, 1e5, -2e6)
	f.Add(uint8(7), -90., 0., 0., 0., 1., 0., math.Pi, -math.Pi/2, 0., 0.)
	f.Add(uint8(30), 0., 180., -70., 70., 0., 90., -7., 0., 1e30, math.NaN())
	methods := slices.Sorted(maps.Keys(builders()))
	f.Fuzz(func(t *testing.T, which uint8, origin, meridian, first, second, scale, azimuth, longitude, latitude, x, y float64) {
		method := methods[int(which)%len(methods)]
		for _, ellipsoid := range []Ellipsoid{grs80(), {SemiMajorAxis: 6371000}} {
			p, err := New(method, ellipsoid, Parameters{
				LatitudeOfOrigin: origin, LongitudeOfOrigin: meridian, StandardParallel1: first, StandardParallel2: second,
				ScaleFactor: scale, Azimuth: azimuth, RectifiedGridAngle: azimuth, OriginHeight: 35786023,
			})
			if err != nil {
				continue
			}
			if east, north := p.Forward(longitude, latitude); math.Abs(east)+math.Abs(north) < 1e12 {
				checkInverse(t, method, p, east, north)
			}
			if math.Abs(x)+math.Abs(y) < 1e12 {
				checkInverse(t, method, p, x, y)
			}
		}
	})
}

func checkInverse(t *testing.T, method Method, p Projection, x, y float64) {
	t.Helper()
	longitude, latitude := p.Inverse(x, y)
	if math.IsNaN(longitude) || math.IsNaN(latitude) {
		return
	}
	if !(math.Abs(latitude) <= halfPi+1e-5 && math.Abs(longitude) < 100) {
		t.Errorf("method %d: %v, %v is the place of %v, %v", method, longitude, latitude, x, y)
	}
}
