package geo

import (
	"math"
	"testing"
)

// around returns a small rectangle of a system around a place in degrees on its datum.
func around(c *CRS, longitude, latitude float64) Bounds {
	p := c.coordinates(longitude*degreesToRadians, latitude*degreesToRadians)
	half := 5000 / c.MetersPerUnit()
	return Bounds{p.X - half, p.Y - half, p.X + half, p.Y + half}
}

// TestShiftsForPlaces compares with cs2cs, which chooses a shift for the place too, between degrees
// on the datum and WGS 84. Of several, it prefers the one for the largest area, and this package the
// most accurate one.
func TestShiftsForPlaces(t *testing.T) {
	for _, test := range []struct {
		name   string
		code   int
		p      Point
		want   Point
		meters float64
	}{
		{"California", 4267, Point{-117, 34}, Point{-117.000858505, 34.000017676}, 2},
		{"California, by UTM", 26711, Point{-117, 34}, Point{-117.000858505, 34.000017676}, 2},
		{"Panama", 4267, Point{-79, 9}, Point{-78.999804974, 9.001274578}, 40},
		{"Costa Rica", 5451, Point{-84.5, 10}, Point{-84.498057460, 9.998580803}, 40},
		{"Sudan, where nobody uses it", 4267, Point{28.8, 8.7}, Point{28.8, 8.7}, 0},
		{"Venezuela, nearer to its area", 4267, Point{-69.6, 7.3}, Point{-69.6, 7.3}, 0},
		{"Ohio, far from Costa Rica", 5456, Point{-84, 40}, Point{-84, 40}, 0},
		{"the same place one turn further", 4267, Point{290.4, 7.3}, Point{-69.6, 7.3}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			plain := mustByCode(t, test.code)
			p := plain.coordinates(test.p.X*degreesToRadians, test.p.Y*degreesToRadians)
			c := plain.WithShiftFor(around(plain, test.p.X, test.p.Y))
			if c.Key() != plain.Key() || !NewTransform(c, plain).IsIdentity() {
				t.Error("the system has become another one")
			}
			if d := GroundDistance(c.ToLonLat(p), test.want); !(d <= test.meters+1e-6) {
				t.Errorf("got %.9f, want %.9f, %.3g m apart", c.ToLonLat(p), test.want, d)
			}
			if back := c.FromLonLat(c.ToLonLat(p)); math.Hypot(back.X-p.X, back.Y-p.Y) > 1e-3 {
				t.Errorf("%v comes back as %v", p, back)
			}
		})
	}
}

// TestRegisteredAndOwnSystemsAgree: a system that a file defines on a registered datum lies where the
// registered system with the same numbers lies.
func TestRegisteredAndOwnSystemsAgree(t *testing.T) {
	registered := mustByCode(t, 5456)
	keys := func(datum map[geoKey]int) GeoKeys {
		k := GeoKeys{map[geoKey]int{modelTypeKey: modelProjected, coordinateTransformKey: 9}, map[geoKey][]float64{
			naturalLatitudeKey: {registered.parameters.LatitudeOfOrigin}, naturalLongitudeKey: {registered.parameters.LongitudeOfOrigin},
			scaleAtOriginKey: {registered.parameters.ScaleFactor}, falseEastingKey: {500000}, falseNorthingKey: {271820.522},
		}, map[geoKey]string{}}
		for key, value := range datum {
			k.shorts[key] = value
		}
		return k
	}
	for name, k := range map[string]GeoKeys{
		"by the geographic system": keys(map[geoKey]int{geographicTypeKey: 5451}),
		"by the datum":             keys(map[geoKey]int{datumKey: 1070, ellipsoidKey: 7008}),
	} {
		own, err := k.CRS()
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range []Point{{-84.3, 10.4}, {-85.9, 12.1}, {-90, 14}, {-84.9, 40.4}, {10, 50}} {
			area := around(registered, place.X, place.Y)
			got, want := own.WithShiftFor(area).ToLonLat(area.Center()), registered.WithShiftFor(area).ToLonLat(area.Center())
			if GroundDistance(got, want) > 1e-3 {
				t.Errorf("%s: at %v: got %.9f, want %.9f", name, place, got, want)
			}
		}
	}
}

func TestSystemsWithoutAnotherShift(t *testing.T) {
	nad27 := mustByCode(t, 26711)
	for name, place := range map[string]Bounds{
		"outside the domain": {1e13, 1e13, 2e13, 2e13}, "no number": {math.NaN(), 0, 1, 1}, "empty": {}, "infinite": {math.Inf(-1), 0, math.Inf(1), 1},
	} {
		if c := nad27.WithShiftFor(place); c != nad27 {
			t.Errorf("%s: the shift is %+v", name, c.datum)
		}
	}
	own, err := FromDefinition(Definition{Ellipsoid: Ellipsoid{SemiMajorAxis: 6377563.396, InverseFlattening: 299.3249646}, ToWGS84: &Helmert{TranslationX: 400}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*CRS{CRS84(), mustByCode(t, 25832), own} {
		if c.WithShiftFor(around(c, 10, 50)) != c {
			t.Errorf("%s has another shift", c.Name())
		}
	}
}

// TestShiftsOfLargePlaces: neither the whole world nor the antimeridian leads to another datum shift
// than the area that it shares with the datum.
func TestShiftsOfLargePlaces(t *testing.T) {
	nad27 := mustByCode(t, 4267)
	for _, place := range []Bounds{{-180, -90, 180, 90}, {0, -90, 360, 90}, {-180, 20, -50, 85}, {170, 50, 310, 84}} {
		c := nad27.WithShiftFor(place)
		if !c.datum.shifted || math.Abs(c.datum.helmert.TranslationY-160) > 20 {
			t.Errorf("%v: the shift is %+v", place, c.datum.helmert)
		}
	}
	aleutians := nad27.WithShiftFor(Bounds{172, 51, 187, 54})
	if h := aleutians.datum.helmert; h.TranslationY != 204 && h.TranslationY != 152 {
		t.Errorf("across the antimeridian: the shift is %+v", h)
	}
}
