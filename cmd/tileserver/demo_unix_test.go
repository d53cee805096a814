//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The demo neither replaces a pipe nor waits for it.
func TestTheDemoLeavesPipesAlone(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, "demo.tif"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := runProgram(t, "demo", "--save", folder); code != exitUsage || !strings.Contains(stderr, "other files named demo.tif") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
