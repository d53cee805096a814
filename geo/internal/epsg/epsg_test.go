package epsg

import (
	"slices"
	"testing"
)

func TestEmbeddedExtract(t *testing.T) {
	version, err := Version()
	if err != nil || version != "v10.076" {
		t.Errorf("got version %q, %v", version, err)
	}
	codes, err := ProjectedCodes()
	if err != nil || len(codes) != 5498 || !slices.IsSorted(codes) {
		t.Errorf("got %d projected codes, %v", len(codes), err)
	}
}

// TestEverySystemReads parses each line of the extract.
func TestEverySystemReads(t *testing.T) {
	r, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for code := range r.systems {
		s, found, err := Lookup(code)
		if err != nil {
			t.Fatalf("EPSG:%d: %v", code, err)
		}
		if found && (s.Name == "" || s.SemiMajorAxis < 1e6 || s.Unit <= 0 || s.Projected != (s.Method != 0)) {
			t.Errorf("EPSG:%d: %+v", code, s)
		}
	}
}

func TestLookup(t *testing.T) {
	s, found, err := Lookup(31467)
	if err != nil || !found {
		t.Fatalf("got %v, %v", found, err)
	}
	if s.Name != "DHDN / 3-degree Gauss-Kruger zone 3" || s.Datum != 6314 || s.Method != 9807 || s.Unit != 1 || s.InverseFlattening != 299.1528128 {
		t.Errorf("got %+v", s)
	}
	if s.Shift == nil || s.Shift.Code != 1777 || s.Shift.Values != [7]float64{598.1, 73.7, 418.2, 0.202, 0.045, -2.455, 6.7} {
		t.Errorf("got the shift %+v", s.Shift)
	}
	if s.Area == nil || s.Area.West != 7.5 || s.Area.East != 10.51 {
		t.Errorf("got the area %+v", s.Area)
	}
	if !slices.Contains(s.Parameters, Parameter{8806, 3500000}) {
		t.Errorf("got the parameters %v", s.Parameters)
	}
}

func TestParts(t *testing.T) {
	if a, inverse, found, err := Ellipsoid(7004); a != 6377397.155 || inverse != 299.1528128 || !found || err != nil {
		t.Errorf("Bessel: got %v, %v, %v, %v", a, inverse, found, err)
	}
	if longitude, found, err := PrimeMeridian(8903); longitude != 2.33722917 || !found || err != nil {
		t.Errorf("Paris: got %v, %v, %v", longitude, found, err)
	}
	if meters, found, err := LengthUnit(9002); meters != 0.3048 || !found || err != nil {
		t.Errorf("foot: got %v, %v, %v", meters, found, err)
	}
	if ellipsoid, meridian, found, err := DatumParts(6807); ellipsoid != 7011 || meridian != 8903 || !found || err != nil {
		t.Errorf("NTF (Paris): got %v, %v, %v, %v", ellipsoid, meridian, found, err)
	}
	if method, parameters, found, err := Conversion(16033); method != 9807 || len(parameters) != 5 || !found || err != nil {
		t.Errorf("UTM 33N: got %v, %v, %v, %v", method, parameters, found, err)
	}
	if _, found, err := LengthUnit(1); found || err != nil {
		t.Errorf("no unit: got %v, %v", found, err)
	}
}

// TestBrokenLines: a corrupt extract is an error, not a panic.
func TestBrokenLines(t *testing.T) {
	for _, text := range []string{
		"P\t1\n", "P\t1\tname\t-1\t-1\t0\t2\t3\t1\n", "P\t1\tname\t9\t9\t0\tx\ty\tz\n", "G\t1\tname\t-1\t-1\t0\t7\t1\n",
		"G\t1\n", "D\t7\t1\t1\nG\t1\tname\t-1\t-1\t0\t7\t1\n",
	} {
		if s, found, err := index(text).lookup(1); err == nil {
			t.Errorf("%q: got %+v, %v", text, s, found)
		}
	}
}
