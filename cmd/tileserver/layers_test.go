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

	"tileserver/config"
	"tileserver/dataset"
	"tileserver/decode/formats"
	"tileserver/layer"
)

func FuzzSafeID(f *testing.F) {
	for _, name := range []string{"scene", "", ".", "..", "a/b", "é", "\xff", "a\x00b", "..-.", "地", strings.Repeat("-a", 200)} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		id := safeID(name)
		if !isSafeID(id) || strings.Contains(id, "--") || len(id) > maxIDBytes+len("-01234567") {
			t.Errorf("%q is made %q", name, id)
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
	for _, name := range []string{"B.tif", "a.TIFF", "deep/er/c.btf", "notes.txt", "d.tif.aux.xml", "e.tif/inside.tif", "noextension"} {
		writeFile(t, folder, name, "")
	}
	named := filepath.Join(folder, "notes.txt")
	got, err := servedPaths(&config.Config{Paths: []string{named, folder}}, nil)
	if want := []servedPath{{dataset.Address{Path: named, Number: 1}, false}, {dataset.Address{Path: folder, Number: 1}, true}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("the places are %v and %v, want %v", got, err, want)
	}
	found := scanFolder(t.Context(), folder, isRaster)
	var want []string
	for _, name := range []string{"a.TIFF", "B.tif", "deep/er/c.btf", "e.tif/inside.tif"} {
		want = append(want, filepath.Join(folder, filepath.FromSlash(name)))
	}
	if !slices.Equal(found.files, want) || len(found.unreadable) > 0 {
		t.Errorf("got %v, want %v", found, want)
	}
	if _, err := servedPaths(&config.Config{Paths: []string{filepath.Join(folder, "none")}}, nil); err == nil {
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
	want := []string{filepath.Join(link, "a.tif")} // wherever the link points later
	if got := scanFolder(t.Context(), link, isRaster); !slices.Equal(got.files, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestConfiguredIDsTakePrecedence(t *testing.T) {
	layers, err := configuredLayers(&config.Config{Layers: []config.Layer{{Path: "/one/a.tif"}, {ID: "a", Path: "/two/b.tif"}}}, newIDs())
	if err != nil {
		t.Fatal(err)
	}
	if layers[0].id != "a-tif" || layers[1].id != "a" {
		t.Errorf("ids %q and %q", layers[0].id, layers[1].id)
	}
	_, err = configuredLayers(&config.Config{Layers: []config.Layer{{ID: "a", Path: "/one/a.tif"}, {ID: "a", Path: "/two/b.tif"}}}, newIDs())
	if err == nil || !strings.Contains(err.Error(), `layers[1]: another layer has the id "a"`) {
		t.Errorf("two layers of one id: %v", err)
	}
}

// isRaster knows the formats of the program.
var isRaster = formats.New(formats.Config{}).HasExtension
