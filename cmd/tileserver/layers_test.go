package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"tileserver/layer"
)

func TestIDsAreSafeAndDifferent(t *testing.T) {
	given := make(ids)
	for _, test := range []struct{ path, want string }{
		{"scene.tif", "scene"},
		{"other/scene.tif", "scene-2"},
		{"scene.tiff", "scene-3"},
		{"scene-2.tif", "scene-2-2"},
		{"a b+c%2Fd.tif", "a-b-c-2Fd"},
		{"N38.5_W120.tif", "N38.5_W120"},
		{"..tif", "layer"},
		{".tif", "layer-2"},
		{"Übersicht.tif", "bersicht"},
		{"地図.tif", "layer-3"},
		{"-–-.tif", "layer-4"},
		{"noextension", "noextension"},
	} {
		if got := given.take(address{filepath.FromSlash(test.path), 1}); got != test.want {
			t.Errorf("%s: got %q, want %q", test.path, got, test.want)
		}
	}
}

func TestIDsOfImagesThatAreNotTheFirst(t *testing.T) {
	given := make(ids)
	for _, test := range []struct {
		address address
		want    string
	}{
		{address{"scan.tif", 2}, "scan-2"}, {address{"scan.tif", 1}, "scan"}, {address{"other/scan.tif", 1}, "scan-3"}, {address{"other/scan.tif", 2}, "scan-2-2"},
	} {
		if got := given.take(test.address); got != test.want {
			t.Errorf("%v: got %q, want %q", test.address, got, test.want)
		}
	}
}

func FuzzSafeID(f *testing.F) {
	for _, name := range []string{"scene", "", ".", "..", "a/b", "é", "\xff", "a\x00b"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		id := safeID(name)
		if again := safeID(id); again != id || id == "" {
			t.Errorf("%q is made %q, and that %q", name, id, again)
		}
		err := layer.NewCatalog(layer.CatalogConfig{}).Add(t.Context(), layer.Config{ID: id, Open: func(context.Context) (*layer.Dataset, error) {
			return nil, fs.ErrNotExist
		}})
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q is made %q, which is refused before the file is opened: %v", name, id, err)
		}
	})
}

func TestFilesAreFoundInFolders(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"b.tif", "a.TIFF", "deep/er/c.btf", "notes.txt", "d.tif.aux.xml", "e.tif/inside.tif", "noextension"} {
		writeFile(t, folder, name, "")
	}
	named := filepath.Join(folder, "notes.txt")
	got, err := findFiles([]string{named, folder}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []file{{address{named, 1}, true}}
	for _, name := range []string{"a.TIFF", "b.tif", "deep/er/c.btf", "e.tif/inside.tif"} {
		want = append(want, file{address{filepath.Join(folder, filepath.FromSlash(name)), 1}, false})
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := findFiles([]string{filepath.Join(folder, "none")}, nil); err == nil {
		t.Error("a path that is not there is no error")
	}
}

func TestALinkToAFolderIsFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links take a privilege there")
	}
	folder := t.TempDir()
	writeFile(t, folder, "releases/7/a.tif", "")
	link := filepath.Join(folder, "current")
	if err := os.Symlink(filepath.Join("releases", "7"), link); err != nil {
		t.Fatal(err)
	}
	got, err := findFiles([]string{link}, nil)
	if err != nil || len(got) != 1 || filepath.Base(got[0].path) != "a.tif" {
		t.Errorf("got %v and %v, want a.tif", got, err)
	}
}
