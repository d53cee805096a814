//go:build unix

package main

import (
	"path/filepath"
	"syscall"
	"testing"
)

func TestAPipeIsRejected(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.tif")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"info", pipe}, {"read", pipe, "-o", "-"}, append([]string{"serve", pipe}, freePorts...)} {
		code, _, stderr := runProgram(t, args...)
		if want := "tileserver: " + pipe + ": this is a pipe, not a file\n"; code != exitUsage || stderr != want {
			t.Errorf("%s: exit code %d, %q, want %q", args[0], code, stderr, want)
		}
	}
}
