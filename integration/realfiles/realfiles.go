// Package realfiles finds the real files that conformance tests read.
package realfiles

import (
	"os"
	"path/filepath"
	"testing"
)

// Folder returns the folder of real files: TILESERVER_TESTDATA, or shared/testdata beside the repository.
// If that does not have what the test needs, a file or a folder, the test is skipped. In CI it fails.
func Folder(t testing.TB, needs string) string {
	t.Helper()
	folder := os.Getenv("TILESERVER_TESTDATA")
	if folder == "" {
		folder = filepath.Join(root(t), "..", "shared", "testdata")
	}
	if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(needs))); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no real files: %v", err)
		}
		t.Skipf("SKIPPED, NO REAL FILES WERE READ: %v", err)
	}
	return folder
}

// root returns the root of the repository. Tests run in the folder of their package.
func root(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		above := filepath.Dir(folder)
		if above == folder {
			t.Fatal("the test does not run in the repository")
		}
		folder = above
	}
}
