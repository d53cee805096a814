package taglist

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/integration/realfiles"
	"tileserver/source/local"
	"tileserver/source/ranges"
)

// reference is what other software found in a file.
type reference struct {
	Path string
	TIFF struct{ IFDs []map[string]any }
}

// testdataFolder returns the folder of real files. With -short, tests that need it are skipped.
func testdataFolder(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED with -short: no real files are read")
	}
	return realfiles.Folder(t, "EXPECTED.jsonl")
}

// references returns the references of TIFF files.
func references(t *testing.T, folder string) (all []reference) {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, "EXPECTED.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r reference
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(r.Path, "tiff/") {
			all = append(all, r)
		}
	}
	return all
}

// TestListsOfRealFiles compares the tags of the files of other writers with what other software says
// of their directories.
func TestListsOfRealFiles(t *testing.T) {
	folder := testdataFolder(t)
	tags := 0
	for _, want := range references(t, folder) {
		src, err := local.Open(filepath.Join(folder, want.Path), ranges.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list, err := Read(t.Context(), src)
		src.Close()
		if err != nil {
			t.Errorf("%s: %v", want.Path, err)
			continue
		}
		if got, reference := inChain(list), want.chain(); len(got) != len(reference) {
			t.Errorf("%s has %d directories, want %d", want.Path, len(got), len(reference))
		} else {
			for i := range got {
				tags += len(got[i].Tags)
				checkTags(t, fmt.Sprintf("%s, directory %d", want.Path, i+1), got[i], reference[i])
			}
		}
	}
	t.Logf("%d tags", tags)
}

func inChain(list *List) (chain []Directory) {
	for _, d := range list.Directories {
		if d.Parent == 0 {
			chain = append(chain, d)
		}
	}
	return chain
}

// chain returns what is known of the directories outside of others.
func (r *reference) chain() (chain []map[string]any) {
	for _, d := range r.TIFF.IFDs {
		if d["kind"] == "main" {
			chain = append(chain, d)
		}
	}
	return chain
}

// checkTags compares the first value of each tag that the reference lists.
func checkTags(t *testing.T, name string, got Directory, want map[string]any) {
	t.Helper()
	named := map[string]uint16{
		"subfiletype": 254, "width": 256, "length": 257, "bits": 258, "compression": 259, "photometric": 262, "fillorder": 266, "orientation": 274,
		"spp": 277, "rowsperstrip": 278, "planar": 284, "predictor": 317, "tilew": 322, "tilel": 323, "sampleformat": 339,
	}
	values := make(map[uint16]string)
	for _, tag := range got.Tags {
		values[tag.Number], _, _ = strings.Cut(tag.Value, ",")
		if (tag.Number == 273 || tag.Number == 324) && want["chunks"] != nil && fmt.Sprint(want["chunks"]) != fmt.Sprint(tag.Count) {
			t.Errorf("%s: %d blocks, want %v", name, tag.Count, want["chunks"])
		}
	}
	for fact, number := range named {
		if wanted, ok := want[fact]; ok && fmt.Sprintf("%.0f", wanted) != values[number] {
			t.Errorf("%s: %s is %q, want %v", name, fact, values[number], wanted)
		}
	}
}
