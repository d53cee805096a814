//go:build unix

package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tileserver/decode/tiff/tifftest"
)

// leftBeside returns the temporary files of an output.
func leftBeside(t *testing.T, out string) []string {
	t.Helper()
	found, err := filepath.Glob(out + ".unfinished-*")
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// stuckFile serves a file, but no more of it once an output has been begun, until the test ends.
func stuckFile(t *testing.T, content []byte, out string) (address string) {
	t.Helper()
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if found, _ := filepath.Glob(out + ".unfinished-*"); len(found) > 0 {
			<-ended
			return
		}
		http.ServeContent(w, r, "a.tif", time.Unix(1, 0), bytes.NewReader(content))
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(ended) })
	return server.URL + "/a.tif"
}

// A process that is killed leaves no output. The next one removes what is left, but for what another process
// still writes.
func TestAPyramidThatWasKilledIsStartedAgain(t *testing.T) {
	path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{{Width: 3001, Height: 2003, Tiled: true, BlockWidth: 256, BlockHeight: 256, Value: ramp}}})
	want := readAll(t, pyramidOf(t, path))
	out := filepath.Join(t.TempDir(), "out.tif")
	stuck := startProcess(t, "pyramid", stuckFile(t, readAll(t, path), out), out)
	eventually(t, "the output is begun", func() bool { return len(leftBeside(t, out)) >= 4 })
	if code, _, stderr := runProgram(t, "pyramid", path, out); code != exitOK || len(leftBeside(t, out)) < 4 {
		t.Errorf("beside another process: exit code %d, %q is left: %s", code, leftBeside(t, out), stderr)
	}
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	if err := stuck.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	stuck.Wait() // killed
	if _, err := os.Stat(out); !os.IsNotExist(err) || len(leftBeside(t, out)) == 0 {
		t.Errorf("after it was killed, the output: %v, and %q are left", err, leftBeside(t, out))
	}
	if code, _, stderr := runProgram(t, "pyramid", path, out); code != exitOK || !bytes.Equal(readAll(t, out), want) {
		t.Errorf("exit code %d, or other bytes: %s", code, stderr)
	}
	wantAlone(t, out)
}

func TestAnInterruptedPyramidLeavesNothing(t *testing.T) {
	path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{{Width: 3001, Height: 2003, Tiled: true, BlockWidth: 256, BlockHeight: 256, Value: ramp}}})
	out := filepath.Join(t.TempDir(), "out.tif")
	p := startProcess(t, "pyramid", stuckFile(t, readAll(t, path), out), out)
	eventually(t, "the output is begun", func() bool { return len(leftBeside(t, out)) >= 4 })
	p.signal(t, syscall.SIGINT)
	p.Wait() // with an exit code
	if code := p.ProcessState.ExitCode(); code != exitFailure || !strings.Contains(p.stderr.String(), "interrupted") {
		t.Errorf("exit code %d: %s", code, p.stderr)
	}
	if left, err := os.ReadDir(filepath.Dir(out)); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
