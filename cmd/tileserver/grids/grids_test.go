package grids

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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
	if _, err := Open(filepath.Join(t.TempDir(), "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
