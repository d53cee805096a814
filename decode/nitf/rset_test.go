package nitf

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/container"
	"tileserver/decode/nitf/nitftest"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/source"
	"tileserver/source/local"
)

// openAmong opens a file among others in a folder.
func openAmong(t *testing.T, name string, files map[string][]byte) *File {
	t.Helper()
	f, err := Open(t.Context(), source.NewBytes(name, files[name]), Config{
		Pool: pool.New(pool.Config{Workers: 2}), Key: "key",
		Beside: func(_ context.Context, name string) (source.Source, error) {
			data, ok := files[name]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return source.NewBytes(name, data), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// The files of an R-set are the levels of an image.
func TestRSets(t *testing.T) {
	level := func(n int) []byte {
		return nitftest.File{Images: []nitftest.Image{{
			Width: 37 >> n, Height: 21 >> n, BlockWidth: 8, BlockHeight: 8, Value: func(x, y, _ int) float64 { return noise(x, y, n) },
		}}}.Bytes()
	}
	other := nitftest.File{Images: []nitftest.Image{{Width: 3, Height: 4, Bits: 16}}}.Bytes()
	for name, test := range map[string]struct {
		files  map[string][]byte
		levels int
		note   string
	}{
		"a.ntf":    {map[string][]byte{"a.ntf": level(0), "a.ntf.r1": level(1), "a.ntf.r2": level(2)}, 3, ""},
		"b.ntf.r0": {map[string][]byte{"b.ntf.r0": level(0), "b.ntf.r1": level(1)}, 2, ""},
		"c.ntf.r1": {map[string][]byte{"c.ntf.r1": level(1), "c.ntf.r2": level(2)}, 1, ""},
		"d.ntf":    {map[string][]byte{"d.ntf": level(0), "d.ntf.r1": level(1), "d.ntf.r2": other}, 2, "d.ntf.r2 is skipped"},
		"e.ntf":    {map[string][]byte{"e.ntf": level(0), "e.ntf.r1": []byte("nothing")}, 1, "e.ntf.r1 is skipped"},
	} {
		f := openAmong(t, name, test.files)
		if got := len(f.Images()[0].Info().Levels); got != test.levels || !strings.Contains(strings.Join(f.Notes(), " "), test.note) {
			t.Errorf("%s: %d levels, want %d (%q)", name, got, test.levels, f.Notes())
		}
	}
	rastertest.Suite{
		Open: func(t *testing.T) raster.Provider {
			return openAmong(t, "a.ntf", map[string][]byte{"a.ntf": level(0), "a.ntf.r1": level(1), "a.ntf.r2": level(2)}).Images()[0]
		},
		Want: func(level, _, x, y int) (float64, bool) { return noise(x, y, level), true },
	}.Run(t)
}

// A real R-set has the overviews that other software finds.
func TestRealRSet(t *testing.T) {
	folder := filepath.Join(testdataFolder(t), "nitf", "gdal")
	s, err := local.Store{}.Open(t.Context(), filepath.Join(folder, "rset.ntf.r0"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(t.Context(), s, Config{Pool: pool.New(pool.Config{Workers: 1}), Key: "key", Beside: func(ctx context.Context, name string) (source.Source, error) {
		return local.Store{}.Open(ctx, filepath.Join(folder, name))
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	facts, err := container.Describe(t.Context(), f, 1, nil)
	if err != nil || len(facts.Overviews) != 1 || facts.Overviews[0] != [2]int{25, 25} {
		t.Errorf("%v, overviews %v", err, facts.Overviews)
	}
}
