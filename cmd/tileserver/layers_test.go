package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tileserver/layer"
)

func TestIDsAreSafeAndDifferent(t *testing.T) {
	given := newIDs()
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
		if got := given.of(address{filepath.FromSlash(test.path), 1}); got != test.want {
			t.Errorf("%s: got %q, want %q", test.path, got, test.want)
		}
	}
}

func TestIDsOfImagesThatAreNotTheFirst(t *testing.T) {
	given := newIDs()
	for _, test := range []struct {
		address address
		want    string
	}{
		{address{"scan.tif", 2}, "scan-2"}, {address{"scan.tif", 1}, "scan"}, {address{"other/scan.tif", 1}, "scan-3"}, {address{"other/scan.tif", 2}, "scan-2-2"},
	} {
		if got := given.of(test.address); got != test.want {
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
	got, err := placesOf([]string{named, folder}, nil, nil)
	if want := []place{{address{named, 1}, false}, {address{folder, 1}, true}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("the places are %v and %v, want %v", got, err, want)
	}
	found := lookInto(t.Context(), folder)
	var want []string
	for _, name := range []string{"a.TIFF", "b.tif", "deep/er/c.btf", "e.tif/inside.tif"} {
		want = append(want, filepath.Join(folder, filepath.FromSlash(name)))
	}
	if !slices.Equal(found.files, want) || len(found.unread) > 0 {
		t.Errorf("got %v, want %v", found, want)
	}
	if _, err := placesOf([]string{filepath.Join(folder, "none")}, nil, nil); err == nil {
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
	want := []string{filepath.Join(link, "a.tif")} // wherever the link leads later
	if got := lookInto(t.Context(), link); !slices.Equal(got.files, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestIdsThatAreGivenGoBeforeThoseOfNames(t *testing.T) {
	layers, err := layersOf([]layerConfig{{Path: "/one/a.tif"}, {ID: "a", Path: "/two/b.tif"}}, newIDs(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if layers[0].id != "a-2" || layers[1].id != "a" {
		t.Errorf("ids %q and %q", layers[0].id, layers[1].id)
	}
	_, err = layersOf([]layerConfig{{ID: "a", Path: "/one/a.tif"}, {ID: "a", Path: "/two/b.tif"}}, newIDs(), nil)
	if err == nil || !strings.Contains(err.Error(), `layers[1]: another layer has the id "a"`) {
		t.Errorf("two layers of one id: %v", err)
	}
}
