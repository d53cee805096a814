package grids

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tileserver/geo"
	"tileserver/geo/gridtest"
)

func TestOpen(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string][]byte{
		"NTv2_0.GSB": gridtest.NTv2(gridtest.Uneven()...), "ostn15_ntv2_osgbtoetrs.gsb": []byte("no grid"), "readme.txt": nil,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "more.gsb"), 0o700); err != nil {
		t.Fatal(err)
	}
	var warned []string
	found, err := Open(folder, func(name string, err error) { warned = append(warned, name) })
	if err != nil {
		t.Fatal(err)
	}
	if size := int64(len(gridtest.NTv2(gridtest.Uneven()...)) + len("no grid")); found.MaxBytes != size {
		t.Errorf("the grids may take %d bytes, want %d", found.MaxBytes, size)
	}
	moves := func(code int, place geo.Point) bool {
		c, err := geo.ByCode(code)
		if err != nil {
			t.Fatal(err)
		}
		return c.ToLonLat(place) != c.WithGrids(found.Grids).ToLonLat(place)
	}
	if !moves(4267, geo.Point{X: -90, Y: 50}) || found.Grids.Bytes() == 0 || len(warned) > 0 {
		t.Errorf("the grid of Canada is not used; %d bytes, warned of %q", found.Grids.Bytes(), warned)
	}
	if moves(4277, geo.Point{X: -1, Y: 52}) || len(warned) != 1 || warned[0] != "ostn15_ntv2_osgbtoetrs.gsb" {
		t.Errorf("warned of %q", warned)
	}
}

func TestNoFolder(t *testing.T) {
	if found, err := Open("", nil); err != nil || found.Grids.Key() != "" || found.MaxBytes != 0 {
		t.Errorf("without a folder: got %+v, %v", found, err)
	}
	missing, file := filepath.Join(t.TempDir(), "none"), filepath.Join(t.TempDir(), "a.gsb")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{missing: "no such file or folder: " + missing, file: file + " is not a folder"} {
		if _, err := Open(path, nil); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestFolderWithoutGrids(t *testing.T) {
	folder := t.TempDir()
	if err := os.Symlink("gone", filepath.Join(folder, "ntv2_0.gsb")); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("NOT TESTED: links cannot be made here: %v", err)
	}
	warned := map[string]error{}
	found, err := Open(folder, func(name string, err error) { warned[name] = err })
	if err != nil || found.Grids.Key() != "" || found.MaxBytes != 0 {
		t.Errorf("got %+v, %v", found, err)
	}
	if len(warned) != 2 || !errors.Is(warned["ntv2_0.gsb"], fs.ErrNotExist) || warned[folder] != errNone {
		t.Errorf("warned of %v", warned)
	}
}

// Which grids are used does not depend on what is asked for first.
func TestGridsThatAreTooLargeTogether(t *testing.T) {
	folder := t.TempDir()
	for name, size := range map[string]int64{"a.gsb": 200 << 20, "b.gsb": 200 << 20, "c.gsb": 200 << 20, "d.gsb": 1 << 20, "huge.gsb": maxFileBytes + 1} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
	}
	var warned []string
	found, err := Open(folder, func(name string, err error) {
		if !errors.Is(err, ErrLimit) {
			t.Errorf("%s: %v, want a limit", name, err)
		}
		warned = append(warned, name)
	})
	if err != nil || found.MaxBytes != 401<<20 {
		t.Errorf("the grids may take %d bytes (%v), want those of a, b and d", found.MaxBytes, err)
	}
	if !slices.Equal(warned, []string{"c.gsb", "huge.gsb"}) {
		t.Errorf("warned of %q", warned)
	}
}
