//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What is no file is left alone, and not waited for.
func TestTheDemoReadsNoPipe(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, "demo.tif"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := runProgram(t, "demo", "--save", folder); code != exitUsage || !strings.Contains(stderr, "other files named demo.tif") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
