package library

import (
	"path/filepath"
	"slices"
	"testing"

	"tileserver/dataset"
)

// below returns images of files below the folder /data.
func below(paths ...string) []origin {
	var list []origin
	for _, path := range paths {
		list = append(list, origin{dataset.Address{Path: filepath.FromSlash("/data/" + path), Number: 1}, filepath.FromSlash("/data")})
	}
	return list
}

// wantNames checks the names that a list of files gets, in every order of the list.
func wantNames(t *testing.T, list []origin, want ...name) {
	t.Helper()
	for range list {
		names := newIDs()
		names.assign(list)
		for i, o := range list {
			if got := names.assigned[o.Address]; got != want[i] {
				t.Errorf("%v: got %+v, want %+v", o, got, want[i])
			}
		}
		list, want = append(slices.Clone(list[1:]), list[0]), append(slices.Clone(want[1:]), want[0])
	}
}

func TestNamesFollowFromPaths(t *testing.T) {
	for path, want := range map[string]name{
		"scene.tif":              {"scene", "scene"},
		"2023/july/scene.tif":    {"2023-july-scene", "2023/july/scene"},
		"My Karte (ü) 2.tif":     {"My-Karte-u-2", "My Karte (ü) 2"},
		"Übersicht – Straße.tif": {"Ubersicht-Strasse", "Übersicht – Straße"},
		"u\u0308bersicht.tif":    {"ubersicht", "u\u0308bersicht"},
		"a b+c%2Fd.tif":          {"a-b-c-2Fd", "a b+c%2Fd"},
		"a--b.tif":               {"a-b", "a--b"},
		"N38.5_W120.tif":         {"N38.5_W120", "N38.5_W120"},
		"ortho.v2.tiff":          {"ortho.v2", "ortho.v2"},
		"-–-.tif":                {"layer", "-–-"},
		"地図.tif":                 {"layer-401cafba", "地図"},
		"地図 7.tif":               {"7-3c3d767f", "地図 7"},
		"noextension":            {"noextension", "noextension"},
		"a\tb\u202e.tif":         {"a-b", "a b"},
	} {
		wantNames(t, below(path), want)
	}
}

func TestFilesOfOneNameGetDistinctNames(t *testing.T) {
	wantNames(t, below("a.tif", "a.tiff", "sub/a.tif"), name{"a-tif", "a.tif"}, name{"a-tiff", "a.tiff"}, name{"sub-a", "sub/a"})
	elsewhere := origin{dataset.Address{Path: filepath.FromSlash("/more/a.tif"), Number: 1}, filepath.FromSlash("/more")}
	wantNames(t, append(below("a.tif"), elsewhere), name{"data-a", "data/a"}, name{"more-a", "more/a"})
	wantNames(t, append(below("a.tif", "a.tiff", "a-tiff.tif"), elsewhere),
		name{"data-a-tif", "data/a.tif"}, name{"data-a-tiff", "data/a.tiff"}, name{"a-tiff", "a-tiff"}, name{"more-a", "more/a"})
	wantNames(t, below("sub/a.tif", "sub-a.tif"),
		name{"data-sub-a-tif-728a5d81", "data/sub/a.tif (728a5d81)"}, name{"data-sub-a-tif-d2e25890", "data/sub-a.tif (d2e25890)"})
}

func TestNamesOfFurtherImages(t *testing.T) {
	list := below("scan.tif", "scan.tif", "scan.jp2")
	list[1].Number = 12
	wantNames(t, list, name{"scan-tif", "scan.tif"}, name{"scan-12", "scan, page 12"}, name{"scan-jp2", "scan.jp2"})
}

// The name of a file that is named itself does not depend on files in folders.
func TestNamedFilesTakePrecedence(t *testing.T) {
	folder, named := filepath.FromSlash("/data"), dataset.Address{Path: filepath.FromSlash("/more/a.tif"), Number: 1}
	a := state{ids: newIDs(), paths: []servedPath{{location{dataset.Address{Path: folder, Number: 1}, true, false}, nil}, {location{named, false, false}, nil}}}
	a.scans = []folderScan{{files: []string{filepath.Join(folder, "a.tif")}}, {}}
	list := a.list(nil)
	if len(list) != 2 || list[0].id != "a-tif" || list[1].id != "a" || !list[1].isNamed {
		t.Errorf("the layers are %+v", list)
	}
}
