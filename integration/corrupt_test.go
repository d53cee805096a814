//go:build unix

package integration

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"tileserver/integration/realfiles"
)

// corruptFiles returns corrupt files from other projects and from fuzzers.
func corruptFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(filepath.Join(realfiles.Folder(t, "corrupt"), "corrupt"), func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d corrupt files: %v", len(files), err)
	}
	return files
}

// TestCorruptFilesFailFastInLittleMemory runs the program on corrupt files. It describes each file, reads
// its samples and renders a picture.
func TestCorruptFilesFailFastInLittleMemory(t *testing.T) {
	t.Parallel() // it computes while others wait
	const memoryBytes = 256 << 20
	var commands [][]string
	out := filepath.Join(t.TempDir(), "out")
	for _, path := range corruptFiles(t) {
		commands = append(commands, []string{"info", path}, append([]string{"read", path, "-o", out}, partOf(path)...), []string{"render", path, "--max_size", "64", "-o", out + ".png"})
	}
	most := int64(0)
	for _, r := range runApart(t, commands) {
		name := r.Args[0] + " " + filepath.Base(r.Args[1])
		switch {
		case strings.Contains(r.Output, "panic") || strings.Contains(r.Output, "goroutine "):
			t.Errorf("%s: it panicked:\n%s", name, r.Output)
		case r.Exit < 0:
			t.Errorf("%s: it was killed, or hung for %v", name, maxWait)
		case r.Exit > 0 && len(strings.Fields(r.Output)) < 4:
			t.Errorf("%s: it failed without a useful message: %q", name, r.Output)
		case r.Memory > memoryBytes:
			t.Errorf("%s: it used %d MiB, want at most %d", name, r.Memory>>20, memoryBytes>>20)
		}
		most = max(most, r.Memory)
	}
	t.Logf("at most %d MiB", most>>20)
}

// partOf returns the part to read of a file with gigabytes of samples, nearly all of which are
// lost.
func partOf(path string) []string {
	if filepath.Base(path) == "issue432.jp2" {
		return []string{"--window", "0,0,1000,200"}
	}
	return nil
}

// run holds the result of one run of the program.
type run struct {
	Args   []string
	Exit   int // exit code; -1 if the program was killed
	Output string
	Memory int64 // peak memory in bytes
}

// measuring is an environment variable. If it is set, the test binary runs the program that it
// names, and measures it. The system counts the memory that the parent had at the start as the
// child's, so the parent must be small.
const measuring = "TILESERVER_MEASURE"

// runApart runs the program once for each list of arguments, one after the other, from a small
// parent.
func runApart(t *testing.T, commands [][]string) (runs []run) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	asked, err := json.Marshal(commands)
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.CommandContext(t.Context(), self)
	parent.Env = append(os.Environ(), measuring+"="+program(t))
	parent.Stdin = bytes.NewReader(asked)
	var complaints strings.Builder
	parent.Stderr = &complaints
	told, err := parent.Output()
	if err == nil {
		err = json.Unmarshal(told, &runs)
	}
	if err != nil || len(runs) != len(commands) {
		t.Fatalf("%d runs of %d: %v\n%s", len(runs), len(commands), err, &complaints)
	}
	return runs
}

// measure is the parent: it reads the lists of arguments and writes the result of each run.
func measure(program string, asked io.Reader, told io.Writer) error {
	var commands [][]string
	if err := json.NewDecoder(asked).Decode(&commands); err != nil {
		return err
	}
	runs := make([]run, len(commands))
	for i, c := range commands {
		var err error
		if runs[i], err = runOnce(program, c); err != nil {
			return err
		}
	}
	return json.NewEncoder(told).Encode(runs)
}

// runOnce runs a program and kills it if it hangs.
func runOnce(program string, args []string) (run, error) {
	ctx, cancel := context.WithTimeout(context.Background(), maxWait)
	defer cancel()
	command := exec.CommandContext(ctx, program, args...)
	output, err := command.CombinedOutput()
	if command.ProcessState == nil {
		return run{}, err
	}
	usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return run{}, errors.New("the system does not tell what a process used")
	}
	r := run{args, command.ProcessState.ExitCode(), string(output), int64(usage.Maxrss)}
	if runtime.GOOS == "linux" {
		r.Memory *= 1024
	}
	return r, nil
}
