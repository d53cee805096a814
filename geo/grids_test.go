package geo

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"tileserver/geo/gridtest"
)

// gridFile is a file that counts how often it is read.
func gridFile(name string, content []byte, reads *int) GridFile {
	return GridFile{Name: name, Version: "1", Read: func() ([]byte, error) {
		*reads++
		return content, nil
	}}
}

func mustByCode(t *testing.T, code int) *CRS {
	t.Helper()
	c, err := ByCode(code)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestGridOfPROJ(t *testing.T) {
	reads := 0
	grids := NewGrids(GridsConfig{MaxBytes: 1 << 20, Files: []GridFile{
		gridFile("NTv2_0.gsb", gridtest.NTv2(gridtest.Uneven()...), &reads), gridFile("ostn15_ntv2_osgbtoetrs.gsb", nil, &reads),
	}})
	nad27 := mustByCode(t, 4267).WithGrids(grids)
	file, err := os.Open("testdata/gridpoints.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	points, lines := 0, bufio.NewScanner(file)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		var p, to, from Point
		if _, err := fmt.Sscan(lines.Text(), &p.X, &p.Y, &to.X, &to.Y, &from.X, &from.Y); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		points++
		if got := nad27.ToLonLat(p); !(wgs84().distance(got, to) < 0.001) {
			t.Errorf("%v: got %.9f, want %.9f, %.3g m apart", p, got, to, wgs84().distance(got, to))
		}
		if got := nad27.FromLonLat(p); !(wgs84().distance(got, from) < 0.001) {
			t.Errorf("to %v: got %.9f, want %.9f, %.3g m apart", p, got, from, wgs84().distance(got, from))
		}
	}
	if points < 150 || reads != 1 {
		t.Errorf("%d points, %d files read", points, reads)
	}
	if bytes := grids.Bytes(); bytes < 8*41*29 || bytes > 1<<20 {
		t.Errorf("the grids take %d bytes", bytes)
	}
}

// TestGridsOfEitherEnd: it is enough that one of the systems has the grids.
func TestGridsOfEitherEnd(t *testing.T) {
	reads := 0
	shift := gridtest.Grid{Name: "a", South: 49, West: -9, LatitudeStep: 1, LongitudeStep: 0.5, Rows: 14, Columns: 30,
		Shift: func(_, _ float64) (east, north float64) { return 20, -30 }}
	grids := NewGrids(GridsConfig{MaxBytes: 1 << 20, Files: []GridFile{gridFile("OSTN15_NTv2_OSGBtoETRS.gsb", gridtest.NTv2(shift), &reads)}})
	osgb, place := mustByCode(t, 27700), Point{X: -1.5, Y: 52}
	plain, utm := osgb.FromLonLat(place), mustByCode(t, 32630)
	moved := osgb.WithGrids(grids).FromLonLat(place)
	if d := math.Hypot(plain.X-moved.X, plain.Y-moved.Y); d < 500 {
		t.Errorf("the grid moves by %v m", d)
	}
	there := NewTransform(utm.WithGrids(grids), osgb)
	if got := there.Apply(utm.FromLonLat(place)); math.Hypot(got.X-moved.X, got.Y-moved.Y) > 1e-3 {
		t.Errorf("got %v by way of UTM, want %v", got, moved)
	}
	if got := there.Inverse().Apply(moved); utm.distance(got, utm.FromLonLat(place)) > 1e-3 {
		t.Errorf("came back as %v", got)
	}
	if !NewTransform(osgb, osgb.WithGrids(grids)).IsIdentity() {
		t.Error("a system differs from itself with grids")
	}
	far := Point{X: 20, Y: 52} // outside the grid
	if got := osgb.WithGrids(grids).FromLonLat(far); osgb.distance(got, osgb.FromLonLat(far)) > 1e-3 {
		t.Errorf("outside the grid: got %v, want %v", got, osgb.FromLonLat(far))
	}
	if got := osgb.WithGrids(grids).ToLonLat(Point{X: 1e13}); !got.IsNaN() {
		t.Errorf("outside everything: got %v", got)
	}
	if mustByCode(t, 25830).WithGrids(grids).ToLonLat(Point{X: 500000, Y: 5e6}) != mustByCode(t, 25830).ToLonLat(Point{X: 500000, Y: 5e6}) {
		t.Error("a modern datum is moved")
	}
	if reads != 1 {
		t.Errorf("%d reads", reads)
	}
}

func TestGridsOfNADCON(t *testing.T) {
	reads := 0
	las, los := gridtest.NADCON(gridtest.Grid{South: 24, West: -125, LatitudeStep: 1, LongitudeStep: 1, Rows: 30, Columns: 60,
		Shift: func(_, _ float64) (east, north float64) { return 3.6, -1.8 }})
	file := func(name string, content []byte) GridFile { return gridFile(name, content, &reads) }
	nad27 := mustByCode(t, 4267)
	both := nad27.WithGrids(NewGrids(GridsConfig{MaxBytes: 1 << 20, Files: []GridFile{file("conus.las", las), file("CONUS.LOS", los)}}))
	if got, want := both.ToLonLat(Point{X: -100, Y: 40}), (Point{X: -99.999, Y: 39.9995}); math.Hypot(got.X-want.X, got.Y-want.Y) > 1e-9 {
		t.Errorf("got %v, want %v", got, want)
	}
	one := nad27.WithGrids(NewGrids(GridsConfig{MaxBytes: 1 << 20, Files: []GridFile{file("conus.las", las)}}))
	if got, want := one.ToLonLat(Point{X: -100, Y: 40}), nad27.ToLonLat(Point{X: -100, Y: 40}); got != want {
		t.Errorf("half a grid moves to %v instead of %v", got, want)
	}
}

func TestGridsThatCannotBeUsed(t *testing.T) {
	good, none := gridtest.NTv2(gridtest.Uneven()...), errors.New("gone")
	place := Point{X: -90, Y: 50}
	plain := mustByCode(t, 4267).ToLonLat(place)
	for _, test := range []struct {
		name string
		file GridFile
		max  int64
	}{
		{"no grid", GridFile{Read: func() ([]byte, error) { return []byte("no grid"), nil }}, 1 << 20},
		{"gone", GridFile{Read: func() ([]byte, error) { return nil, none }}, 1 << 20},
		{"too large", GridFile{Read: func() ([]byte, error) { return good, nil }}, 1000},
	} {
		warned := 0
		test.file.Name = "ntv2_0.gsb"
		grids := NewGrids(GridsConfig{MaxBytes: test.max, Files: []GridFile{test.file}, Warn: func(name string, err error) {
			if name != "ntv2_0.gsb" || err == nil {
				t.Errorf("%s: warned of %q, %v", test.name, name, err)
			}
			warned++
		}})
		for range 2 {
			if got := mustByCode(t, 4267).WithGrids(grids).ToLonLat(place); got != plain {
				t.Errorf("%s: got %v, want %v", test.name, got, plain)
			}
		}
		if warned != 1 || grids.Bytes() != 0 {
			t.Errorf("%s: %d warnings, %d bytes", test.name, warned, grids.Bytes())
		}
	}
}

func TestKeysOfGrids(t *testing.T) {
	a, b := GridFile{Name: "A.gsb", Version: "1"}, GridFile{Name: "b.gsb", Version: "2"}
	one, other := NewGrids(GridsConfig{Files: []GridFile{a, b}}), NewGrids(GridsConfig{Files: []GridFile{b, a}})
	if one.Key() == "" || one.Key() != other.Key() {
		t.Errorf("the keys are %q and %q", one.Key(), other.Key())
	}
	b.Version = "3"
	if newer := NewGrids(GridsConfig{Files: []GridFile{a, b}}); newer.Key() == one.Key() {
		t.Error("another version has the same key")
	}
	if key := CRS84().WithGrids(NewGrids(GridsConfig{})).GridsKey(); key != "" {
		t.Errorf("without grids the key is %q", key)
	}
	if key := CRS84().WithGrids(one).GridsKey(); key != one.Key() {
		t.Errorf("the key is %q", key)
	}
}
