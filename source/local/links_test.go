package local

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/source"
)

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("links cannot be made here: %v", err)
	}
}

// folderWithLinks returns a folder, itself reached by a link, with links of all kinds, and a file
// outside of it.
func folderWithLinks(t *testing.T) (folder, outside string) {
	t.Helper()
	base := t.TempDir()
	for _, name := range []string{"real/below", "real.not", "elsewhere"} {
		if err := os.MkdirAll(filepath.Join(base, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	folder, outside = filepath.Join(base, "served"), writeFile(t, filepath.Join(base, "elsewhere", "secret"), []byte("secret"))
	writeFile(t, filepath.Join(base, "real.not", "file"), []byte("sibling"))
	writeFile(t, filepath.Join(base, "real", "file"), []byte("file"))
	writeFile(t, filepath.Join(base, "real", "below", "file"), []byte("below"))
	link(t, "real", folder)
	for name, to := range map[string]string{
		"in": "file", "in-absolute": filepath.Join(base, "real", "below", "file"), "in-by-links": "in", "in-folder": "below", "round": "below/../file",
		"out": "../elsewhere/secret", "out-absolute": outside, "out-by-links": "out", "out-folder": "../elsewhere", "out-and-in": "../real/file",
		"out-of-prefix": "../real.not/file",
		"loop":          "loop", "loop-a": "loop-b", "loop-b": "loop-a", "parent": "..", "nowhere": "nothing",
	} {
		link(t, to, filepath.Join(folder, name))
	}
	return folder, outside
}

func TestLinksFollowTheirRule(t *testing.T) {
	folder, outside := folderWithLinks(t)
	type outcome struct{ follow, inside, none bool }
	for name, want := range map[string]outcome{
		"file": {true, true, true}, "below/file": {true, true, true},
		"in": {true, true, false}, "in-absolute": {true, true, false}, "in-by-links": {true, true, false}, "in-folder/file": {true, true, false},
		"round": {true, true, false}, "out-and-in": {true, true, false},
		"out": {true, false, false}, "out-absolute": {true, false, false}, "out-by-links": {true, false, false}, "out-folder/secret": {true, false, false},
		"out-of-prefix": {true, false, false}, "parent/elsewhere/secret": {true, false, false},
		"loop": {}, "loop-a": {}, "nowhere": {}, "in-folder": {},
	} {
		for rule, want := range map[LinkRule]bool{FollowLinks: want.follow, InsideLinks: want.inside, NoLinks: want.none} {
			links := NewLinks(rule)
			links.Bound([]string{"/nothing", folder}, nil)
			f, err := Store{Links: links}.open(filepath.Join(folder, filepath.FromSlash(name)))
			if (err == nil) != want {
				t.Errorf("%s with rule %d: %v", name, rule, err)
			}
			if err == nil {
				f.Close()
			}
		}
	}
	links := NewLinks(NoLinks)
	links.Bound([]string{folder}, []string{filepath.Join(folder, "out")})
	for _, path := range []string{outside, filepath.Join(folder, "out"), filepath.Join(folder, "..", "real", "in")} {
		f, err := Store{Links: links}.open(path)
		if err != nil {
			t.Errorf("%s obeys a rule that is not its own: %v", path, err)
			continue
		}
		f.Close()
	}
}

// A side file obeys the rule as its raster does.
func TestLinksOfSideFilesFollowTheRule(t *testing.T) {
	folder, _ := folderWithLinks(t)
	links := NewLinks(InsideLinks)
	links.Bound([]string{folder}, nil)
	f, err := Store{Links: links}.open(filepath.Join(folder, "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	side, err := f.Sibling(t.Context(), "in")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := side.ReadRanges(t.Context(), []source.Range{{Offset: 0, Length: 4}}); err != nil || string(got[0]) != "file" {
		t.Errorf("%q, %v", got, err)
	}
	if closer, ok := side.(interface{ Close() error }); ok {
		defer closer.Close()
	}
	if _, err := f.Sibling(t.Context(), "out"); err == nil || !strings.Contains(err.Error(), "leads out of") {
		t.Errorf("a side file that leads out: %v", err)
	}
}
