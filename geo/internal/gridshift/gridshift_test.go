package gridshift

import (
	"errors"
	"math"
	"testing"

	"tileserver/geo/gridtest"
)

// plane is a grid whose shifts are linear, so that interpolation is exact.
func plane() gridtest.Grid {
	return gridtest.Grid{Name: "outer", South: 40, West: -80, LatitudeStep: 0.5, LongitudeStep: 0.25, Rows: 9, Columns: 13,
		Shift: func(longitude, latitude float64) (east, north float64) {
			return 3 + 0.5*(longitude+80), -2 + 0.25*(latitude-40)
		}}
}

func (g *Grid) check(t *testing.T, longitude, latitude, east, north float64) {
	t.Helper()
	gotEast, gotNorth, ok := g.At(longitude*degree, latitude*degree)
	if !ok || math.Abs(gotEast/second-east) > 1e-5 || math.Abs(gotNorth/second-north) > 1e-5 {
		t.Errorf("%v, %v: got %v, %v, %v, want %v, %v", longitude, latitude, gotEast/second, gotNorth/second, ok, east, north)
	}
	backLongitude, backLatitude, ok := g.Inverse(longitude*degree+gotEast, latitude*degree+gotNorth)
	if !ok || math.Hypot(backLongitude-longitude*degree, backLatitude-latitude*degree) > 1e-12 {
		t.Errorf("%v, %v: comes back as %v, %v, %v", longitude, latitude, backLongitude/degree, backLatitude/degree, ok)
	}
}

func TestNTv2(t *testing.T) {
	inner := plane()
	inner.Name, inner.Parent, inner.South, inner.West, inner.LatitudeStep, inner.LongitudeStep = "inner", "outer", 41, -79, 0.1, 0.1
	inner.Rows, inner.Columns = 6, 8
	inner.Shift = func(longitude, latitude float64) (east, north float64) { return 7, 8 }
	for _, bigEndian := range []bool{false, true} {
		outer := plane()
		outer.BigEndian = bigEndian
		g, err := ParseNTv2(gridtest.NTv2(outer, inner))
		if err != nil {
			t.Fatal(err)
		}
		g.check(t, -80, 40, 3, -2)
		g.check(t, -77.0001, 43.9999, 3+0.5*2.9999, -2+0.25*3.9999)
		g.check(t, -79.37, 40.83, 3+0.5*0.63, -2+0.25*0.83)
		g.check(t, -78.6, 41.25, 7, 8)
		g.check(t, 360-79.37, 40.83, 3+0.5*0.63, -2+0.25*0.83)
		for _, p := range [][2]float64{{-80.1, 41}, {-76.9, 41}, {-79, 39.9}, {-79, 44.1}, {math.NaN(), 41}, {-79, math.NaN()}} {
			if _, _, ok := g.At(p[0]*degree, p[1]*degree); ok {
				t.Errorf("%v is in the grid", p)
			}
			if _, _, ok := g.Inverse(p[0]*degree, p[1]*degree); ok {
				t.Errorf("%v comes from the grid", p)
			}
		}
		if bytes := g.Bytes(); bytes < 8*(9*13+6*8) || bytes > 5000 {
			t.Errorf("it takes %d bytes", bytes)
		}
	}
}

// wide is the plane with rows as long as the header of NADCON.
func wide() gridtest.Grid {
	g := plane()
	g.Columns = 31
	return g
}

func TestNADCON(t *testing.T) {
	g, err := ParseNADCON(gridtest.NADCON(wide()))
	if err != nil {
		t.Fatal(err)
	}
	g.check(t, -79.37, 40.83, 3+0.5*0.63, -2+0.25*0.83)
	g.check(t, -72.5, 44, 6.75, -1)
}

func TestWhatIsNoGrid(t *testing.T) {
	change := func(f func(g *gridtest.Grid)) []byte {
		g := plane()
		f(&g)
		return gridtest.NTv2(g)
	}
	whole := gridtest.NTv2(plane())
	for name, file := range map[string][]byte{
		"nothing": nil, "cut in the header": whole[:100], "cut in an area's": whole[:200], "cut in the nodes": whole[:len(whole)-100],
		"no areas":      gridtest.NTv2(),
		"a wrong count": change(func(g *gridtest.Grid) { g.WrongCount = 1 }),
		"one row":       change(func(g *gridtest.Grid) { g.Rows = 1 }),
		"no step":       change(func(g *gridtest.Grid) { g.LatitudeStep = 0 }),
		"beyond a pole": change(func(g *gridtest.Grid) { g.South = 88 }),
		"no unit":       change(func(g *gridtest.Grid) { g.Unit = "FURLONGS" }),
		"no numbers":    change(func(g *gridtest.Grid) { g.Shift = func(_, _ float64) (_, _ float64) { return math.NaN(), 0 } }),
		"to the moon":   change(func(g *gridtest.Grid) { g.Shift = func(_, _ float64) (_, _ float64) { return 0, 1e6 } }),
	} {
		if g, err := ParseNTv2(file); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: got %v and %v", name, g, err)
		}
	}
	las, los := gridtest.NADCON(wide())
	small := wide()
	small.Columns--
	_, other := gridtest.NADCON(small)
	for name, files := range map[string][2][]byte{
		"nothing": {}, "one file": {las, nil}, "cut": {las[:len(las)-1], los}, "cut in the header": {las, los[:70]}, "two grids": {las, other},
	} {
		if g, err := ParseNADCON(files[0], files[1]); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: got %v and %v", name, g, err)
		}
	}
}

func FuzzParseNTv2(f *testing.F) {
	f.Add(gridtest.NTv2(plane()))
	f.Add(gridtest.NTv2(plane(), gridtest.Grid{Name: "a", Parent: "outer", South: 41, West: -79, LatitudeStep: 1, LongitudeStep: 1, Rows: 2, Columns: 2,
		Shift: func(_, _ float64) (_, _ float64) { return 1, 2 }}))
	f.Fuzz(func(t *testing.T, file []byte) {
		g, err := ParseNTv2(file)
		probe(t, g, err, len(file))
	})
}

func FuzzParseNADCON(f *testing.F) {
	las, los := gridtest.NADCON(wide())
	f.Add(las, los)
	f.Fuzz(func(t *testing.T, las, los []byte) {
		g, err := ParseNADCON(las, los)
		probe(t, g, err, len(las)+len(los))
	})
}

// probe checks that a grid is bounded by its file, and that its shifts are numbers.
func probe(t *testing.T, g *Grid, err error, length int) {
	t.Helper()
	if err != nil {
		if !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrLimit) {
			t.Errorf("got %v", err)
		}
		return
	}
	if g.Bytes() > int64(4*length) {
		t.Errorf("%d bytes of a file of %d", g.Bytes(), length)
	}
	for _, a := range g.areas {
		for _, x := range []float64{0, 0.3, 1} {
			for _, y := range []float64{0, 0.7, 1} {
				longitude, latitude := a.west+x*float64(a.columns-1)*a.longitudeStep, a.south+y*float64(a.rows-1)*a.latitudeStep
				east, north, ok := g.At(longitude, latitude)
				if !ok || !(math.Abs(east) <= maxShift && math.Abs(north) <= maxShift) {
					t.Errorf("at %v, %v: %v, %v, %v", longitude, latitude, east, north, ok)
				}
				g.Inverse(longitude, latitude)
			}
		}
	}
}
