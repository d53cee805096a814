package projection

import (
	"errors"
	"math"
	"testing"
)

func grs80() Ellipsoid { return Ellipsoid{SemiMajorAxis: 6378137, InverseFlattening: 298.257222101} }

// TestSeries compares the series with the closed forms, or with each other.
func TestSeries(t *testing.T) {
	for _, ellipsoid := range []Ellipsoid{grs80(), {SemiMajorAxis: 6377563.396, InverseFlattening: 299.3249646}, {SemiMajorAxis: 3396190, InverseFlattening: 169.8944}} {
		conformal, back := ellipsoid.conformalFromGeodetic(), ellipsoid.geodeticFromConformal()
		rectifying, rectified := ellipsoid.rectifyingFromGeodetic(), ellipsoid.geodeticFromRectifying()
		along, across := ellipsoid.rectifyingFromConformal(), ellipsoid.conformalFromRectifying()
		iso := newIsometry(ellipsoid)
		for latitude := -1.57; latitude < 1.58; latitude += 0.05 {
			for name, d := range map[string]float64{
				"conformal":               conformal.add(latitude) - math.Atan(math.Sinh(iso.isometric(latitude))),
				"geodetic from conformal": back.add(conformal.add(latitude)) - latitude,
				"from rectifying":         rectified.add(rectifying.add(latitude)) - latitude,
				"two ways to rectifying":  along.add(conformal.add(latitude)) - rectifying.add(latitude),
				"and back":                across.add(along.add(latitude)) - latitude,
				"isometric":               iso.geodetic(iso.isometric(latitude)) - latitude,
			} {
				if !(math.Abs(d) < 2e-15*1e1) {
					t.Errorf("%v: %s at %v is %.3g off", ellipsoid, name, latitude, d)
				}
			}
		}
	}
}

// TestMeridian integrates the radius of curvature.
func TestMeridian(t *testing.T) {
	ellipsoid := grs80()
	m := newMeridian(ellipsoid)
	const steps = 2000
	sum, h := 0.0, 1.2/steps
	for i := range steps { // Simpson's rule
		a := float64(i) * h
		sum += h / 6 * (ellipsoid.meridianRadius(math.Sin(a)) + 4*ellipsoid.meridianRadius(math.Sin(a+h/2)) + ellipsoid.meridianRadius(math.Sin(a+h)))
	}
	if got := m.arc(1.2); math.Abs(got-sum) > 1e-6 {
		t.Errorf("got %.7f m, want %.7f", got, sum)
	}
}

func TestAuthalicLatitude(t *testing.T) {
	a := newAuthality(grs80())
	for latitude := -halfPi; latitude <= halfPi; latitude += halfPi / 97 {
		if d := a.geodetic(a.authalic(latitude)) - latitude; math.Abs(d) > 1e-8 || math.Abs(latitude) < 1.5 && math.Abs(d) > 1e-13 {
			t.Errorf("%v is %.3g off", latitude, d)
		}
	}
}

// TestSpherical checks the closed forms of the sphere, where they are short enough to repeat here.
func TestSpherical(t *testing.T) {
	sphere := Ellipsoid{SemiMajorAxis: 1e6}
	lon, lat := 0.3, 0.7
	tests := []struct {
		name       string
		method     Method
		parameters Parameters
		x, y       float64
	}{
		{"Mercator", MercatorA, Parameters{}, 0.3, math.Asinh(math.Tan(lat))},
		{"transverse Mercator", TransverseMercator, Parameters{}, math.Atanh(math.Cos(lat) * math.Sin(lon)), math.Atan2(math.Tan(lat), math.Cos(lon))},
		{"sinusoidal", Sinusoidal, Parameters{}, 0.3 * math.Cos(lat), lat},
		{"Cassini on its meridian", CassiniSoldner, Parameters{LongitudeOfOrigin: lon / degree}, 0, lat},
		{"equal-area cylinder", LambertCylindrical, Parameters{}, 0.3, math.Sin(lat)},
		{"plate carrée", EquidistantCylindricalSpherical, Parameters{}, 0.3, 0.7},
		{"azimuthal at the pole", LambertAzimuthal, Parameters{LatitudeOfOrigin: 90},
			2 * math.Sin((halfPi-lat)/2) * math.Sin(lon), -2 * math.Sin((halfPi-lat)/2) * math.Cos(lon)},
		{"polar stereographic", PolarStereographicA, Parameters{LatitudeOfOrigin: 90},
			2 * math.Tan((halfPi-lat)/2) * math.Sin(lon), -2 * math.Tan((halfPi-lat)/2) * math.Cos(lon)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, err := New(test.method, sphere, test.parameters)
			if err != nil {
				t.Fatal(err)
			}
			x, y := p.Forward(lon, lat)
			if math.Hypot(x-1e6*test.x, y-1e6*test.y) > 1e-6 {
				t.Errorf("got %v, %v, want %v, %v", x, y, 1e6*test.x, 1e6*test.y)
			}
			if gotLon, gotLat := p.Inverse(x, y); math.Hypot(gotLon-lon, gotLat-lat) > 1e-11 {
				t.Errorf("came back as %v, %v", gotLon, gotLat)
			}
		})
	}
}

// TestWestOrientated and TestBelgium replace a comparison with PROJ, which does not support these
// two variants.
func TestWestOrientated(t *testing.T) {
	parameters := Parameters{LatitudeOfOrigin: 65, LongitudeOfOrigin: -19, FalseEasting: 500000, FalseNorthing: 400000}
	east, err := New(LambertConic1SP, grs80(), parameters)
	if err != nil {
		t.Fatal(err)
	}
	west, err := New(LambertConicWestOrientated, grs80(), parameters)
	if err != nil {
		t.Fatal(err)
	}
	x, y := east.Forward(-0.3, 1.12)
	if w, n := west.Forward(-0.3, 1.12); math.Abs(w+x-1e6) > 1e-6 || n != y {
		t.Errorf("got %v, %v beside %v, %v", w, n, x, y)
	}
}

// TestBelgium: the bend of the 1972 grid equals a central meridian 37.97 seconds farther east.
func TestBelgium(t *testing.T) {
	parameters := Parameters{LatitudeOfOrigin: 90, LongitudeOfOrigin: 4.356939722222222, StandardParallel1: 49.83333333333334,
		StandardParallel2: 51.16666666666667, FalseEasting: 150000.01256, FalseNorthing: 5400088.4378}
	international := Ellipsoid{SemiMajorAxis: 6378388, InverseFlattening: 297}
	bent, err := New(LambertConicBelgium, international, parameters)
	if err != nil {
		t.Fatal(err)
	}
	parameters.LongitudeOfOrigin = 4.367486666666666
	plain, err := New(LambertConic2SP, international, parameters)
	if err != nil {
		t.Fatal(err)
	}
	x, y := bent.Forward(4.5*degree, 50.5*degree)
	if wantX, wantY := plain.Forward(4.5*degree, 50.5*degree); math.Hypot(x-wantX, y-wantY) > 0.01 {
		t.Errorf("got %v, %v, want %v, %v", x, y, wantX, wantY)
	}
}

// TestLaborde is the example of EPSG Guidance Note 7-2.
func TestLaborde(t *testing.T) {
	const paris = 2.33722917
	p, err := New(Laborde, Ellipsoid{SemiMajorAxis: 6378388, InverseFlattening: 297}, Parameters{
		LatitudeOfOrigin: -18.9, LongitudeOfOrigin: 44.1 + paris, Azimuth: 18.9, ScaleFactor: 0.9995, FalseEasting: 400000, FalseNorthing: 800000,
	})
	if err != nil {
		t.Fatal(err)
	}
	longitude, latitude := (44+27/60.+27.260/3600)*degree, -(16+11/60.+23.280/3600)*degree
	x, y := p.Forward(longitude, latitude)
	if math.Hypot(x-188333.848, y-1098841.091) > 0.001 {
		t.Errorf("got %.4f, %.4f", x, y)
	}
	if east, north := p.Inverse(x, y); math.Hypot(east-longitude, north-latitude) > 1e-12 {
		t.Errorf("came back as %v, %v", east, north)
	}
}

func TestPolarStereographicC(t *testing.T) {
	parameters := Parameters{StandardParallel1: -67, LongitudeOfOrigin: 140, FalseEasting: 300000, FalseNorthing: 200000}
	p, err := New(PolarStereographicC, grs80(), parameters)
	if err != nil {
		t.Fatal(err)
	}
	if x, y := p.Forward(140*degree, -67*degree); math.Hypot(x-300000, y-200000) > 1e-6 {
		t.Errorf("the false origin is at %v, %v", x, y)
	}
	if _, y := p.Forward(140*degree, -66*degree); y < 200000 {
		t.Errorf("north of it is %v", y)
	}
}

func TestEveryMethodIsNaNForNaN(t *testing.T) {
	parameters := Parameters{LatitudeOfOrigin: 40, StandardParallel1: 30, StandardParallel2: 50, Azimuth: 30}
	for method, build := range builders() {
		p, err := build(grs80(), withScales(parameters))
		if err != nil {
			parameters := parameters
			parameters.LatitudeOfOrigin = 90
			if p, err = build(grs80(), withScales(parameters)); err != nil {
				parameters.LatitudeOfOrigin = 0
				if p, err = build(grs80(), withScales(parameters)); err != nil {
					t.Fatalf("method %d: %v", method, err)
				}
			}
		}
		if x, y := p.Forward(nan, nan); !math.IsNaN(x + y) {
			t.Errorf("method %d: forward gives %v, %v", method, x, y)
		}
		if longitude, latitude := p.Inverse(nan, nan); !math.IsNaN(longitude + latitude) {
			t.Errorf("method %d: inverse gives %v, %v", method, longitude, latitude)
		}
	}
}

func withScales(p Parameters) Parameters {
	p.ScaleFactor, p.EllipsoidScale, p.OriginHeight = 1, 1, 35786023
	return p
}

func TestNewRefuses(t *testing.T) {
	tests := []struct {
		name       string
		method     Method
		ellipsoid  Ellipsoid
		parameters Parameters
		want       error
	}{
		{"method", 1, grs80(), Parameters{}, ErrUnsupportedMethod},
		{"axis", TransverseMercator, Ellipsoid{SemiMajorAxis: nan}, Parameters{}, ErrInvalidParameters},
		{"flattening", TransverseMercator, Ellipsoid{SemiMajorAxis: 1e6, InverseFlattening: -3}, Parameters{}, ErrInvalidParameters},
		{"latitude", TransverseMercator, grs80(), Parameters{LatitudeOfOrigin: 91}, ErrInvalidParameters},
		{"angle", TransverseMercator, grs80(), Parameters{LongitudeOfOrigin: math.Inf(1)}, ErrInvalidParameters},
		{"scale", TransverseMercator, grs80(), Parameters{ScaleFactor: -1}, ErrInvalidParameters},
		{"offset", TransverseMercator, grs80(), Parameters{FalseEasting: nan}, ErrInvalidParameters},
		{"cone", Albers, grs80(), Parameters{}, ErrInvalidParameters},
		{"pole of a cone", LambertConic1SP, grs80(), Parameters{LatitudeOfOrigin: 90}, ErrInvalidParameters},
		{"cylinder at the pole", MercatorB, grs80(), Parameters{StandardParallel1: 90}, ErrInvalidParameters},
		{"oblique at the pole", HotineObliqueMercatorA, grs80(), Parameters{LatitudeOfOrigin: 90}, ErrInvalidParameters},
		{"polar, not at a pole", PolarStereographicA, grs80(), Parameters{LatitudeOfOrigin: 80}, ErrInvalidParameters},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if p, err := New(test.method, test.ellipsoid, test.parameters); !errors.Is(err, test.want) {
				t.Errorf("got %v, %v", p, err)
			}
		})
	}
}
