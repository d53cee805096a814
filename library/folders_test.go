package library

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tileserver/dataset"
	"tileserver/layer"
	"tileserver/source/local"
	"tileserver/source/sourcetest"
)

func FuzzSafeID(f *testing.F) {
	for _, name := range []string{"scene", "", ".", "..", "a/b", "é", "\xff", "a\x00b", "..-.", "地", strings.Repeat("-a", 200)} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		id := safeID(name)
		if !isTrimmedIdentifier(id) || strings.Contains(id, "--") || len(id) > maxIDBytes+len("-01234567") {
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
	files := sourcetest.NewStore()
	for _, name := range []string{"B.tif", "a.TIFF", "deep/er/c.btf", "notes.txt", "d.tif.aux.xml", "e.tif/inside.tif", "noextension"} {
		files.Put(path.Join(folder, name), nil, time.Hour)
	}
	s := &state{files: files}
	named := path.Join(folder, "notes.txt")
	got, err := s.servedPaths(t.Context(), []Path{{Text: named}, {Text: folder + "/deep/.."}}, nil)
	if want := []servedPath{{location{dataset.Address{Path: named, Number: 1}, false, false}, nil}, {location{dataset.Address{Path: folder, Number: 1}, true, false}, nil}}; err != nil || !slices.EqualFunc(got, want, servedPath.isSame) {
		t.Errorf("the paths are %v and %v, want %v", got, err, want)
	}
	found := scanFolder(t.Context(), files, folder, isRaster)
	var want []string
	for _, name := range []string{"a.TIFF", "B.tif", "deep/er/c.btf", "e.tif/inside.tif"} {
		want = append(want, path.Join(folder, name))
	}
	if !slices.Equal(found.files, want) || len(found.unreadable) > 0 {
		t.Errorf("got %v, want %v", found, want)
	}
	if _, err := s.servedPaths(t.Context(), []Path{{Text: path.Join(folder, "none")}}, nil); err == nil {
		t.Error("a path that is not there is no error")
	}
}

func TestALinkToAFolderIsFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links take a privilege there")
	}
	folder := t.TempDir()
	release := filepath.Join(folder, "releases", "7")
	link := filepath.Join(folder, "current")
	err := errors.Join(os.MkdirAll(release, 0o755), os.WriteFile(filepath.Join(release, "a.tif"), nil, 0o644), os.Symlink(filepath.Join("releases", "7"), link))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(link, "a.tif")} // wherever the link points later
	if got := scanFolder(t.Context(), local.Store{}, link, isRaster); !slices.Equal(got.files, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestConfiguredIDsTakePrecedence(t *testing.T) {
	s := &state{files: sourcetest.NewStore(), ids: newIDs()}
	layers, err := s.configuredLayers(t.Context(), []Layer{{Path: "/one/a.tif"}, {ID: "a", Path: "/two/b.tif"}})
	if err != nil {
		t.Fatal(err)
	}
	if layers[0].id != "a-tif" || layers[1].id != "a" {
		t.Errorf("ids %q and %q", layers[0].id, layers[1].id)
	}
	_, err = s.configuredLayers(t.Context(), []Layer{{ID: "a", Path: "/one/a.tif"}, {ID: "a", Path: "/two/b.tif", Place: place("second")}})
	if err == nil || !strings.Contains(err.Error(), `second: another layer has the id "a"`) {
		t.Errorf("two layers of one id: %v", err)
	}
}
