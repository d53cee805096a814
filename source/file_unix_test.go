//go:build unix

package source

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
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
		if _, err := OpenFile(path, Options{}); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v, want %v", path, err, ErrNotRegular)
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
	if got, want := openFile(t, link, Options{}).Version(), openFile(t, path, Options{}).Version(); got != want {
		t.Errorf("the link has the version %s, the file %s", got, want)
	}
}
