package ogcapi

import (
	"errors"
	"math"
	"testing"

	"tileserver/geo"
	"tileserver/http/request"
)

func TestScalesOnTheGround(t *testing.T) {
	near := func(got, want float64) bool { return math.Abs(got-want) <= 0.004*want }
	for _, test := range []struct {
		name          string
		b             geo.Bounds
		width, height float64 // of 1 : 100,000
	}{
		{"[EPSG:32633]", geo.Bounds{MinX: 450000, MinY: 5200000, MaxX: 550000, MaxY: 5250000}, 100000 / 28, 50000 / 28},
		{"[EPSG:3857]", geo.Bounds{MinX: 0, MinY: 8371738, MaxX: 112000, MaxY: 8427738}, 2000, 1000}, // 60 degrees north: twice as long as the ground
		{"CRS84", geo.Bounds{MinX: 10, MinY: 59, MaxX: 12, MaxY: 61}, 111600 / 28, 222800 / 28},
	} {
		width, height, err := SizeAt(100000, test.b, crs(t, test.name))
		if err != nil || !near(width, test.width) || !near(height, test.height) {
			t.Errorf("%s: got %v by %v and the error %v, want %v by %v", test.name, width, height, err, test.width, test.height)
		}
	}
}

func TestAroundInvertsSizeAt(t *testing.T) {
	for name, center := range map[string]geo.Point{
		"CRS84": {X: -70.25, Y: -33}, "[EPSG:3857]": {X: 1e6, Y: 6e6}, "[EPSG:32633]": {X: 480000, Y: 5300000}, "[EPSG:4326]": {X: 179.9, Y: 0},
	} {
		system := crs(t, name)
		b, err := Around(center, 400, 300, 25000, system)
		if err != nil {
			t.Fatal(err)
		}
		width, height, err := SizeAt(25000, b, system)
		if err != nil || math.Abs(width-400) > 1e-6 || math.Abs(height-300) > 1e-6 {
			t.Errorf("%s: got %v by %v and the error %v", name, width, height, err)
		}
		if c := b.Center(); math.Hypot(c.X-center.X, c.Y-center.Y) > 1e-6 {
			t.Errorf("%s: the center is %v", name, c)
		}
	}
}

func TestInvalidScales(t *testing.T) {
	if _, err := Around(geo.Point{X: 0, Y: 95}, 10, 10, 1000, geo.CRS84()); !errors.Is(err, ErrOutside) {
		t.Errorf("beyond the pole: got the error %v", err)
	}
	if _, _, err := SizeAt(1000, geo.Bounds{MinX: 1e300, MinY: 0, MaxX: 1.1e300, MaxY: 1}, geo.WebMercatorQuad().CRS); !errors.Is(err, ErrOutside) {
		t.Errorf("beyond all: got the error %v", err)
	}
	for _, text := range []string{"", "0", "-5", "nan", "inf", "many"} {
		if _, err := ParseScale(text); !errors.Is(err, ErrQuery) {
			t.Errorf("a scale of %q: got the error %v", text, err)
		}
	}
	for _, text := range []string{"", "1", "1,2,3", "a,b", "1,nan", ","} {
		if _, err := ParseCenter(text, false); !errors.Is(err, ErrQuery) {
			t.Errorf("a center at %q: got the error %v", text, err)
		}
	}
	if got, err := ParseCenter(" 47.5, 11 ", true); err != nil || got != (geo.Point{X: 11, Y: 47.5}) {
		t.Errorf("got %v and the error %v", got, err)
	}
}

func FuzzScale(f *testing.F) {
	f.Add("11,47.5", "25000", "CRS84", 400)
	f.Add("480000,5300000", "1e-300", "[EPSG:32633]", 1)
	f.Fuzz(func(t *testing.T, center, scale, name string, width int) {
		system, northingFirst, err := geo.ParseCRSName(name)
		if err != nil {
			system = geo.CRS84()
		}
		at, errCenter := ParseCenter(center, northingFirst)
		denominator, errScale := ParseScale(scale)
		if errCenter != nil || errScale != nil || width < 1 {
			return
		}
		b, err := Around(at, width, width, denominator, system)
		if err == nil {
			b, err = request.Normalize(b, system)
		}
		if err == nil && b.Empty() {
			t.Errorf("%s 1:%s in %s is valid", center, scale, name)
		}
	})
}
