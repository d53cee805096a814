package local

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"tileserver/source/ranges"
)

// Files with equal name, size and time differ in identity if their folder or content differs.
func TestIdentity(t *testing.T) {
	folder := t.TempDir()
	old := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	write := func(name string, content []byte) string {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		return path
	}
	identity := func(path string) string {
		t.Helper()
		s, err := Open(path, ranges.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		id, err := s.Identity(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	content := make([]byte, 100_000)
	first := identity(write("a/dem.tif", content))
	if again := identity(filepath.Join(folder, "a", "dem.tif")); again != first {
		t.Error("the same file has two identities")
	}
	if identity(write("b/dem.tif", content)) == first {
		t.Error("a file elsewhere has the same identity")
	}
	for _, at := range []int{0, len(content) / 2, len(content) - 1} {
		changed := append([]byte(nil), content...)
		changed[at]++
		if identity(write("a/dem.tif", changed)) == first {
			t.Errorf("a change of byte %d is not seen", at)
		}
	}
	for _, size := range []int{0, 1, 20_000} {
		identity(write("small.tif", make([]byte, size)))
	}
}
