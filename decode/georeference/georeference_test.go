package georeference

import (
	"errors"
	"slices"
	"testing"

	"tileserver/decode/pam"
	"tileserver/geo"
)

func utm(t *testing.T) *geo.CRS {
	t.Helper()
	crs, err := geo.ByCode(32633)
	if err != nil {
		t.Fatal(err)
	}
	return crs
}

func TestJoin(t *testing.T) {
	embedded := Georeference{Affine: geo.Affine{A: 1, E: -1}, HasAffine: true, CRS: utm(t)}
	points := Georeference{ControlPoints: []ControlPoint{{Name: "own"}}, CRS: utm(t)}
	world := &geo.Affine{A: 2, E: -2}
	transform := &[6]float64{10, 3, 0, 20, 0, -3}
	byNotes := geo.Affine{A: 3, C: 10, E: -3, F: 20}
	notedPoints := []pam.ControlPoint{{Name: "noted"}, {Name: "too"}}
	for _, test := range []struct {
		name    string
		sources Sources
		affine  geo.Affine
		points  []string
		crs     string
	}{
		{"nothing", Sources{}, geo.Affine{}, nil, ""},
		{"the file", Sources{Embedded: embedded}, embedded.Affine, nil, "EPSG:32633"},
		{"the file before a world file", Sources{Embedded: embedded, World: world}, embedded.Affine, nil, "EPSG:32633"},
		{"a world file", Sources{World: world}, *world, nil, ""},
		{"a world file before points", Sources{Embedded: points, World: world}, *world, []string{"own"}, "EPSG:32633"},
		{"notes before all", Sources{PAM: &pam.Document{GeoTransform: transform, CRS: "EPSG:3857"}, Embedded: embedded, World: world}, byNotes, nil, "EPSG:3857"},
		{"notes without an inverse", Sources{PAM: &pam.Document{GeoTransform: new([6]float64)}, Embedded: embedded}, embedded.Affine, nil, "EPSG:32633"},
		{"notes of points", Sources{PAM: &pam.Document{ControlPoints: notedPoints, ControlPointCRS: "EPSG:4326"}, Embedded: points}, geo.Affine{}, []string{"noted", "too"}, "EPSG:4326"},
		{"notes of other things", Sources{PAM: &pam.Document{}, Embedded: points}, geo.Affine{}, []string{"own"}, "EPSG:32633"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := test.sources.Join()
			var names []string
			for _, p := range g.ControlPoints {
				names = append(names, p.Name)
			}
			crs := ""
			if g.CRS != nil {
				crs = g.CRS.Code()
			}
			if g.Affine != test.affine || g.HasAffine != (test.affine != geo.Affine{}) || !slices.Equal(names, test.points) || crs != test.crs {
				t.Errorf("got %+v, %q in %q, want %+v, %q in %q", g.Affine, names, crs, test.affine, test.points, test.crs)
			}
		})
	}
	both := &pam.Document{CRS: "EPSG:3857", ControlPointCRS: "EPSG:4326"}
	if g := (Sources{PAM: both, Embedded: embedded}).Join(); g.CRS == nil || g.CRS.Code() != "EPSG:3857" {
		t.Errorf("a noted CRS before that of points: got %v, %v", g.CRS, g.CRSError)
	}
	if g := (Sources{PAM: &pam.Document{CRS: "nonsense"}, Embedded: embedded}).Join(); g.CRS != nil || g.CRSError == nil {
		t.Errorf("a noted CRS that is none: got %v, %v", g.CRS, g.CRSError)
	}
}

func TestPlacement(t *testing.T) {
	unknown := errors.New("unknown")
	corner := func(x, y float64) ControlPoint {
		return ControlPoint{Column: x, Row: y, X: 500000 + 2*x, Y: 4000000 - 3*y}
	}
	for _, test := range []struct {
		name  string
		g     Georeference
		first geo.Point // where the first corner lies, if there is a placement
		err   error
	}{
		{"nothing", Georeference{CRSError: unknown}, geo.Point{}, nil},
		{"an affine mapping", Georeference{Affine: geo.Affine{A: 1, C: 7, E: -1, F: 8}, HasAffine: true, CRS: utm(t)}, geo.Point{X: 7, Y: 8}, nil},
		{"in what is not known", Georeference{Affine: geo.Affine{A: 1, E: -1}, HasAffine: true, CRSError: unknown}, geo.Point{}, unknown},
		{"points", Georeference{ControlPoints: []ControlPoint{corner(0, 0), corner(9, 0), corner(0, 7)}, CRS: utm(t)}, geo.Point{X: 500000, Y: 4000000}, nil},
		{"two points", Georeference{ControlPoints: []ControlPoint{corner(0, 0), corner(9, 0)}, CRS: utm(t)}, geo.Point{}, geo.ErrControlPoints},
	} {
		placement, err := test.g.Placement()
		if !errors.Is(err, test.err) || (placement != nil) != (test.first != geo.Point{}) {
			t.Errorf("%s: got %v, %v, want %v", test.name, placement, err, test.err)
			continue
		}
		if placement == nil {
			continue
		}
		if at := placement.Place(geo.Point{}); at.X-test.first.X > 1e-6 || test.first.X-at.X > 1e-6 || at.Y-test.first.Y > 1e-6 || test.first.Y-at.Y > 1e-6 {
			t.Errorf("%s: the first corner lies at %v, want %v", test.name, at, test.first)
		}
	}
}

func TestGeoTIFF(t *testing.T) {
	point, area := []uint16{1, 1, 0, 2, 1025, 0, 1, 2, 3072, 0, 1, 32633}, []uint16{1, 1, 0, 2, 1025, 0, 1, 1, 3072, 0, 1, 32633}
	tie := []float64{0, 0, 0, 100, 200, 5, 9, 7, 0, 110, 190, 6}
	for _, test := range []struct {
		name   string
		tags   GeoTIFF
		affine geo.Affine
		points []ControlPoint
		hasCRS bool
	}{
		{"no tags", GeoTIFF{}, geo.Affine{}, nil, false},
		{"a scale", GeoTIFF{Scale: []float64{2, 4, 0}, Tiepoints: tie, Keys: area}, geo.Affine{A: 2, C: 100, E: -4, F: 200}, nil, true},
		{"of points", GeoTIFF{Scale: []float64{2, 4, 0}, Tiepoints: tie, Keys: point}, geo.Affine{A: 2, C: 99, E: -4, F: 202}, nil, true},
		{"tie points", GeoTIFF{Tiepoints: tie, Keys: area}, geo.Affine{}, []ControlPoint{{X: 100, Y: 200, Z: 5}, {Column: 9, Row: 7, X: 110, Y: 190, Z: 6}}, true},
		{"tie points of points", GeoTIFF{Tiepoints: tie[:7], Keys: point}, geo.Affine{}, []ControlPoint{{Column: 0.5, Row: 0.5, X: 100, Y: 200, Z: 5}}, true},
		{"a matrix", GeoTIFF{Matrix: []float64{1, 2, 0, 3, 4, -5, 0, 6, 0, 0, 0, 0, 0, 0, 0, 1}, Tiepoints: tie}, geo.Affine{A: 1, B: 2, C: 3, D: 4, E: -5, F: 6}, nil, false},
		{"keys that are none", GeoTIFF{Scale: []float64{2, 4, 0}, Tiepoints: tie, Keys: []uint16{7}}, geo.Affine{A: 2, C: 100, E: -4, F: 200}, nil, false},
	} {
		g := test.tags.Georeference()
		if g.Affine != test.affine || g.HasAffine != (test.affine != geo.Affine{}) || !slices.Equal(g.ControlPoints, test.points) || (g.CRS != nil) != test.hasCRS || (g.CRSError == nil) != test.hasCRS {
			t.Errorf("%s: got %+v, want %+v, %+v and %v", test.name, g, test.affine, test.points, test.hasCRS)
		}
	}
}
