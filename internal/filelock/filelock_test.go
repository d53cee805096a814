package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func open(t *testing.T, path string) *os.File {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

func TestALockEndsWhenItsFileIsClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "locked")
	first, second := open(t, path), open(t, path)
	err := Lock(first)
	if errors.Is(err, errors.ErrUnsupported) && os.Getenv("CI") != "true" {
		t.Skip("NOT TESTED: this platform has no locks")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := Lock(second); !errors.Is(err, ErrLocked) {
		t.Errorf("a second lock: %v, want %v", err, ErrLocked)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Lock(second); err != nil {
		t.Errorf("a lock after the first has ended: %v", err)
	}
}
