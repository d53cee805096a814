package geo

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"tileserver/geo/internal/projection"
)

func system(t testing.TB, code int) *CRS {
	t.Helper()
	c, err := ByCode(code)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTransformShortCuts(t *testing.T) {
	user, err := FromDefinition(Definition{
		Ellipsoid: wgs84Ellipsoid(), Method: projection.TransverseMercator,
		Parameters: Parameters{LongitudeOfOrigin: 15, ScaleFactor: 0.9996, FalseEasting: 500000}, MetersPerUnit: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name     string
		from, to *CRS
		want     route
	}{
		{"the same", system(t, 32633), system(t, 32633), routeIdentity},
		{"two and three dimensions", system(t, 4326), system(t, 4979), routeIdentity},
		{"a definition equal to a code", user, system(t, 32633), routeIdentity},
		{"one datum", system(t, 32633), system(t, 3857), routeSameDatum},
		{"modern datums", system(t, 25833), system(t, 32633), routeSameDatum},
		{"one datum, two shifts", system(t, 26710), system(t, 26718), routeSameDatum},
		{"two datums", system(t, 31467), system(t, 32633), routeDatumShift},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := NewTransform(test.from, test.to); got.route != test.want {
				t.Errorf("got %d, want %d", got.route, test.want)
			}
		})
	}
}

func TestTransformOutsideTheDomain(t *testing.T) {
	tests := []struct {
		name     string
		from, to int
		p        Point
	}{
		{"the pole in Mercator", 4326, 3857, Point{0, 90}},
		{"no latitude", 4326, 32633, Point{15, 91}},
		{"NaN", 4326, 3857, Point{math.NaN(), 0}},
		{"an infinite longitude", 4326, 4807, Point{math.Inf(1), 0}},
		{"infinity", 3857, 4326, Point{math.Inf(1), math.Inf(1)}},
		{"the far side of a transverse Mercator", 4326, 32633, Point{105.0000001, 0}},
		{"the antipode of an azimuthal", 4326, 3035, Point{-170, -52}},
		{"the gap of a cone", 2154, 4326, Point{700000, 60000000}},
		{"beyond the disc", 3035, 4326, Point{3e7, 3e7}},
		{"from a datum with a shift", 4326, 31467, Point{9, 95}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := NewTransform(system(t, test.from), system(t, test.to)).Apply(test.p)
			if !math.IsNaN(got.X) || !math.IsNaN(got.Y) {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestTransformEdgesOfTheWorld(t *testing.T) {
	const edge = math.Pi * 6378137
	mercator := system(t, 3857)
	for _, test := range []struct{ lonLat, xy Point }{
		{Point{-180, 0}, Point{-edge, 0}},
		{Point{180, 0}, Point{edge, 0}},
		{Point{180, maxMercatorLatitude}, Point{edge, edge}},
	} {
		if got := mercator.FromLonLat(test.lonLat); math.Hypot(got.X-test.xy.X, got.Y-test.xy.Y) > 1e-6 {
			t.Errorf("%v: got %v, want %v", test.lonLat, got, test.xy)
		}
		if got := mercator.ToLonLat(test.xy); math.Hypot(got.X-test.lonLat.X, got.Y-test.lonLat.Y) > 1e-11 {
			t.Errorf("%v: got %v, want %v", test.xy, got, test.lonLat)
		}
	}
}

func TestTransformInverse(t *testing.T) {
	forward := NewTransform(system(t, 2056), system(t, 3857))
	p := Point{2600000, 1200000}
	if got := forward.Inverse().Apply(forward.Apply(p)); math.Hypot(got.X-p.X, got.Y-p.Y) > 0.01 {
		t.Errorf("got %v, want %v", got, p)
	}
}

func TestTransformConcurrently(t *testing.T) {
	transform := NewTransform(system(t, 31467), system(t, 3857))
	want := transform.Apply(Point{3500000, 5500000})
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 100 {
				if got := transform.Apply(Point{3500000, 5500000}); got != want {
					t.Errorf("got %v, want %v", got, want)
				}
			}
		})
	}
	wait.Wait()
}

func TestTransformAllocatesNothing(t *testing.T) {
	for _, codes := range [][2]int{{32633, 3857}, {31467, 3857}, {3857, 4326}, {3068, 4326}, {5880, 4326}, {27200, 4326}} {
		transform := NewTransform(system(t, codes[0]), system(t, codes[1]))
		p := transform.Inverse().Apply(Point{1e6, 1e6})
		if n := testing.AllocsPerRun(100, func() { transform.Apply(p) }); n != 0 {
			t.Errorf("EPSG:%d to EPSG:%d: %v allocations", codes[0], codes[1], n)
		}
	}
}

func TestKeys(t *testing.T) {
	d := Definition{Name: "a", Ellipsoid: wgs84Ellipsoid(), Method: projection.TransverseMercator, Parameters: Parameters{LongitudeOfOrigin: 9}}
	key := func(d Definition) string {
		c, err := FromDefinition(d)
		if err != nil {
			t.Fatal(err)
		}
		return c.Key()
	}
	renamed, moved, shifted := d, d, d
	renamed.Name = "b"
	moved.Parameters.FalseEasting = 1
	shifted.ToWGS84 = &Helmert{TranslationX: 1}
	if key(d) != key(renamed) {
		t.Error("the name changes the key")
	}
	if key(d) == key(moved) || key(d) == key(shifted) || key(moved) == key(shifted) {
		t.Error("different coordinates share a key")
	}
}

func TestFromDefinitionRejects(t *testing.T) {
	sphere := Ellipsoid{SemiMajorAxis: 6371000}
	for name, d := range map[string]Definition{
		"no ellipsoid":        {},
		"method":              {Ellipsoid: sphere, Method: 1},
		"NaN":                 {Ellipsoid: sphere, Method: 9807, Parameters: Parameters{LongitudeOfOrigin: math.NaN()}},
		"unit":                {Ellipsoid: sphere, Method: 9807, MetersPerUnit: -1},
		"flat":                {Ellipsoid: Ellipsoid{SemiMajorAxis: 6378137, InverseFlattening: 2}, Method: 9807},
		"infinite shift":      {Ellipsoid: sphere, ToWGS84: &Helmert{Scale: math.Inf(1)}},
		"a cone that is none": {Ellipsoid: sphere, Method: 9802, Parameters: Parameters{StandardParallel1: 40, StandardParallel2: -40}},
		"prime meridian":      {Ellipsoid: sphere, PrimeMeridian: math.NaN()},
	} {
		if c, err := FromDefinition(d); err == nil {
			t.Errorf("%s: got %v", name, c)
		}
	}
}

func BenchmarkTransform(b *testing.B) {
	for _, bench := range []struct {
		name     string
		from, to int
		p        Point
	}{
		{"UTM to Web Mercator", 32633, 3857, Point{512345, 5412345}},
		{"Web Mercator to UTM", 3857, 32633, Point{1712345, 6212345}},
		{"Web Mercator to longitude and latitude", 3857, 4326, Point{1712345, 6212345}},
		{"Web Mercator to Lambert 93", 3857, 2154, Point{223456, 5812345}},
		{"Web Mercator to Gauss-Kruger on DHDN", 3857, 31467, Point{1112345, 6212345}},
		{"Web Mercator to Swiss grid", 3857, 2056, Point{912345, 5912345}},
		{"Web Mercator to LAEA Europe", 3857, 3035, Point{912345, 5912345}},
		{"polyconic to Web Mercator", 5880, 3857, Point{5412345, 8412345}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			transform := NewTransform(system(b, bench.from), system(b, bench.to))
			b.ReportAllocs()
			for b.Loop() {
				transform.Apply(bench.p)
			}
		})
	}
	b.Run("system by code", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			system(b, 31467)
		}
	})
}

func TestOtherBodiesAreNotTheEarth(t *testing.T) {
	for name, radius := range map[string]float64{"Mars": 3396190, "the Moon": 1737400, "Jupiter": 71492000} {
		_, err := FromDefinition(Definition{Name: name, Ellipsoid: Ellipsoid{SemiMajorAxis: radius}})
		if !errors.Is(err, ErrUnknownCRS) || !strings.Contains(err.Error(), "not the Earth") {
			t.Errorf("%s is %v", name, err)
		}
	}
	if _, err := FromDefinition(Definition{Name: "a sphere", Ellipsoid: Ellipsoid{SemiMajorAxis: 6370997}}); err != nil {
		t.Errorf("a sphere for the Earth is %v", err)
	}
}
