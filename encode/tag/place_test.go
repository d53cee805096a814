package tag

import (
	"math"
	"testing"

	"tileserver/geo"
)

func TestAnImageThatIsNorthUpHasAScaleAndATiepoint(t *testing.T) {
	negativeZero := math.Copysign(0, -1)
	scale, tiepoint, ok := ScaleAndTiepoint(geo.Affine{A: 2, E: -3, C: 50, F: 60}, geo.Point{X: negativeZero, Y: 7})
	if !ok || scale != [3]float64{2, 3, 0} || tiepoint != [6]float64{0, 0, 0, 0, 7, 0} {
		t.Errorf("scale %v, tiepoint %v, %v", scale, tiepoint, ok)
	}
	if !math.Signbit(tiepoint[3]) {
		t.Error("the place is not stored bit for bit")
	}
}

func TestAnImageThatIsNotNorthUpHasAMatrix(t *testing.T) {
	nan := math.NaN()
	for _, a := range []geo.Affine{{A: 2, B: 1, E: -3}, {A: 2, D: 1, E: -3}, {A: -2, E: -3}, {A: 2, E: 3}, {A: nan, E: -3}, {A: 2, E: nan}} {
		if _, _, ok := ScaleAndTiepoint(a, geo.Point{}); ok {
			t.Errorf("%v has a scale", a)
		}
	}
	got := Matrix(geo.Affine{A: 1, B: 2, C: 50, D: 3, E: 4, F: 60}, geo.Point{X: 5, Y: 6})
	if want := [...]float64{1, 2, 0, 5, 3, 4, 0, 6, 0, 0, 0, 0, 0, 0, 0, 1}; got != want {
		t.Errorf("%v", got)
	}
}

func TestKeysAreReadAsTheReferenceSystemThatTheyWereMadeOf(t *testing.T) {
	for code, isGeographic := range map[uint16]bool{32633: false, 4326: true} {
		keys := RegisteredKeys(code, isGeographic)
		parsed, err := geo.ParseGeoKeys(keys[:], nil, "")
		if err != nil {
			t.Fatal(err)
		}
		crs, err := parsed.CRS()
		if err != nil || crs.IsGeographic() != isGeographic {
			t.Errorf("EPSG:%d is %v: %v", code, crs, err)
		}
	}
}

func TestOnlyKeysOfPixelsAsPointsCountFromCenters(t *testing.T) {
	keys := RegisteredKeys(32633, false)
	unnamed := UnnamedKeys()
	for _, values := range [][]uint16{nil, {1, 1, 0}, keys[:], unnamed[:], unnamed[:6]} {
		if CountFromCenters(values) {
			t.Errorf("%v counts from centers", values)
		}
	}
	keys[11] = rasterPixelPoint
	if !CountFromCenters(keys[:]) {
		t.Error("pixels as points count from corners")
	}
}
