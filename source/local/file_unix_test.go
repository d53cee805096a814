//go:build unix

package local

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"tileserver/source"
	"tileserver/source/ranges"
)

func TestOpenFileRejectsPipesAndDevices(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(os.DevNull, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, os.DevNull, link} {
		if _, err := Open(path, ranges.Options{}); !source.IsNotObject(err) {
			t.Errorf("%s: %v, want a NotObjectError", path, err)
		}
	}
}

func TestLinkToAFileIsTheFile(t *testing.T) {
	folder := t.TempDir()
	path := writeFile(t, filepath.Join(folder, "file"), []byte("0123456789"))
	link := filepath.Join(folder, "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if got, want := openFile(t, link, ranges.Options{}).Version(), openFile(t, path, ranges.Options{}).Version(); got != want {
		t.Errorf("the link has the version %s, the file %s", got, want)
	}
}
