package place

import (
	"math"
	"strings"
	"testing"

	"tileserver/geo"
)

func checkPoints(t *testing.T, name string, c *Corners, err error, tolerance float64, want [4]geo.Point) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for i, p := range c.Points {
		if math.Abs(p.X-want[i].X) > tolerance || math.Abs(p.Y-want[i].Y) > tolerance {
			t.Errorf("%s: corner %d is %v, want %v", name, i+1, p, want[i])
		}
	}
}

func TestNotationsOfCorners(t *testing.T) {
	degrees := [4]geo.Point{{X: -0.5, Y: 51.5}, {X: 0.5, Y: 51.5}, {X: 0.5, Y: 50.5}, {X: -0.5, Y: 50.5}}
	c, err := ParseCorners("D", "+51.500-000.500+51.500+000.500+50.500+000.500+50.500-000.500")
	checkPoints(t, "decimal", c, err, 1e-9, degrees)
	c, err = ParseCorners("G", "513000N0003000W513000N0003000E503000N0003000E503000N0003000W")
	checkPoints(t, "seconds", c, err, 1e-9, degrees)

	utm := [4]geo.Point{{X: 233085, Y: 3807070}, {X: 234975, Y: 3807070}, {X: 234975, Y: 3805180}, {X: 233085, Y: 3805180}}
	c, err = ParseCorners("N", "172330853807070172349753807070172349753805180172330853805180")
	checkPoints(t, "UTM", c, err, 0, utm)
	if c.CRS.Code() != "EPSG:32617" {
		t.Errorf("UTM in %s", c.CRS.Code())
	}
	// The Washington Monument is 18S UJ 23480 06470, the White House 18S UJ 23394 07395.
	c, err = ParseCorners("U", strings.Repeat("18SUJ2348006470", 3)+"18SUJ2339407395")
	at := geo.Point{X: 323480, Y: 4306470}
	checkPoints(t, "MGRS", c, err, 0, [4]geo.Point{at, at, at, {X: 323394, Y: 4307395}})
	// Sydney Opera House: 56H LH 34873 52286.
	c, err = ParseCorners("U", strings.Repeat("56HLH3487352286", 4))
	at = geo.Point{X: 334873, Y: 6252286}
	checkPoints(t, "MGRS in the south", c, err, 0, [4]geo.Point{at, at, at, at})
}

func TestImagesAcrossTheAntimeridianGoOn(t *testing.T) {
	c, err := ParseCorners("D", "+10.000+179.000+10.000-179.000+09.000-179.000+09.000+179.000")
	checkPoints(t, "across", c, err, 1e-9, [4]geo.Point{{X: 179, Y: 10}, {X: 181, Y: 10}, {X: 181, Y: 9}, {X: 179, Y: 9}})
}

func TestCornersThatCannotBeRead(t *testing.T) {
	for notation, text := range map[string]string{
		"D": "+99.500-000.500+51.500+000.500+50.500+000.500+50.500-000.500", "G": strings.Repeat("5130 0X0003000W", 4),
		"N": strings.Repeat("990330853807070", 4), "U": strings.Repeat("18IUJ2348006470", 4), "X": strings.Repeat(" ", 60), "S": "too short",
	} {
		if c, err := ParseCorners(notation, text); err == nil {
			t.Errorf("%s: %v", notation, c)
		}
	}
}

func TestAffineWhereItFits(t *testing.T) {
	for name, test := range map[string]struct {
		text     string
		isAffine bool
	}{
		"a rectangle": {"+51.500-000.500+51.500+000.500+50.500+000.500+50.500-000.500", true},
		"a trapezoid": {"+51.500-000.500+51.500+000.500+50.500+000.700+50.500-000.700", false},
		"a point":     {strings.Repeat("+51.500-000.500", 4), false},
	} {
		c, err := ParseCorners("D", test.text)
		if err != nil {
			t.Fatal(err)
		}
		if g := c.Georeference(101, 101); g.HasAffine != test.isAffine || len(g.ControlPoints) == 4 == test.isAffine {
			t.Errorf("%s: affine %t, %d control points", name, g.HasAffine, len(g.ControlPoints))
		}
	}
}

func TestBLOCKA(t *testing.T) {
	content := "01" + "00000" + "00030" + strings.Repeat(" ", 22) +
		"N411702.00E0200500.00" + "N411700.00E0200500.00" + "+41.283333+020.083333" + "N411702.00E0200400.00" + "     "
	c, err := FromBLOCKA([]byte(content), 30)
	checkPoints(t, "BLOCKA", c, err, 1e-6, [4]geo.Point{
		{X: 20 + 4/60., Y: 41 + 17/60. + 2/3600.}, {X: 20 + 5/60., Y: 41 + 17/60. + 2/3600.}, {X: 20 + 5/60., Y: 41 + 17/60.}, {X: 20.083333, Y: 41.283333},
	})
	if c, err := FromBLOCKA([]byte(content), 31); c != nil || err != nil {
		t.Errorf("a part of the image: %v, %v", c, err)
	}
	if _, err := FromBLOCKA([]byte(content[:100]), 30); err == nil {
		t.Error("a short one is no error")
	}
}

func TestCSCRNA(t *testing.T) {
	content := "Y" + "+51.50001-000.50002+00100.0" + "+51.50003+000.50004+00100.0" + "+50.50005+000.50006+00100.0" + "-00.50007-000.50008-00100.0"
	c, err := FromCSCRNA([]byte(content))
	checkPoints(t, "CSCRNA", c, err, 1e-9, [4]geo.Point{{X: -0.50002, Y: 51.50001}, {X: 0.50004, Y: 51.50003}, {X: 0.50006, Y: 50.50005}, {X: -0.50008, Y: -0.50007}})
	for _, wrong := range []string{content[:100], strings.Replace(content, "+51", "+9A", 1), strings.Replace(content, "+51", "+91", 1)} {
		if c, err := FromCSCRNA([]byte(wrong)); err == nil {
			t.Errorf("%s: %v", wrong, c)
		}
	}
}

// FuzzCorners parses damaged texts.
func FuzzCorners(f *testing.F) {
	f.Add("G", "513000N0003000W513000N0003000E503000N0003000E503000N0003000W")
	f.Add("U", strings.Repeat("18SUJ2348006470", 4))
	f.Add("N", "172330853807070172349753807070172349753805180172330853805180")
	f.Fuzz(func(t *testing.T, notation, text string) {
		if c, err := ParseCorners(notation, text); err == nil {
			c.Georeference(100, 50)
		}
		_, _ = FromBLOCKA([]byte(text), 7)
		_, _ = FromGEOLOB([]byte(text))
		_, _ = FromCSCRNA([]byte(text))
	})
}
