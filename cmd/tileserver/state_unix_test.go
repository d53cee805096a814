//go:build unix

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A state folder that hangs delays one answer by two seconds. Others are answered as if it were empty,
// and the server can be stopped. Opening a named pipe hangs as a file on such a disk does.
func TestAStateFolderThatHangs(t *testing.T) {
	t.Parallel() // it waits until the server gives up a call
	folder := t.TempDir()
	args := append([]string{"serve", writeFile(t, t.TempDir(), "small.tif", smallFile(t, 33)), "--state", folder, "--cache", "0"}, freePorts...)
	const picture = "/layers/small/preview.png?stretch=percentile:3,90"
	first := start(t, args...)
	status, want := get(t, first.maps+picture)
	if first.stop(); status != http.StatusOK {
		t.Fatalf("status %d: %s", status, want)
	}
	kept, err := filepath.Glob(filepath.Join(folder, "*.kept"))
	if err != nil || len(kept) == 0 {
		t.Fatal(len(kept), err)
	}
	for _, path := range kept {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, args...)
	for i := range 3 {
		began := time.Now()
		if status, got := get(t, s.maps+picture); status != http.StatusOK || string(got) != string(want) {
			t.Errorf("status %d, or another picture", status)
		}
		if took := time.Since(began); i > 0 && took > time.Second {
			t.Errorf("answer %d took %v", i, took)
		}
	}
	if status, body := get(t, s.admin+"/readyz"); status != http.StatusOK || !strings.Contains(string(body), "state folder "+folder+" does not answer") {
		t.Errorf("/readyz: status %d: %s", status, body)
	}
	if _, body := get(t, s.admin+"/metrics"); !strings.Contains(string(body), "tileserver_state_up 0\n") || !strings.Contains(string(body), "tileserver_state_failures_total 1\n") {
		t.Error("the metrics do not tell that it hangs")
	}
	if lines := strings.Count(s.stderr.String(), "state folder does not answer"); lines != 1 {
		t.Errorf("the log has %d lines about it: %s", lines, s.stderr)
	}
	if code := s.stop(); code != exitOK {
		t.Errorf("it stops with %d: %s", code, s.stderr)
	}
	for _, path := range kept { // the call ends with the test
		if writer, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			writer.Close()
		}
	}
}
