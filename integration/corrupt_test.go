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
)

// corruptFiles are files that others broke, or that a fuzzer made.
func corruptFiles(t *testing.T) []string {
	t.Helper()
	folder := os.Getenv("TILESERVER_TESTDATA")
	if folder == "" {
		folder = filepath.Join("..", "..", "shared", "testdata")
	}
	var files []string
	err := filepath.WalkDir(filepath.Join(folder, "corrupt"), func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	switch {
	case err == nil && len(files) > 0:
		return files
	case os.Getenv("CI") == "true":
		t.Fatalf("no corrupt files: %v", err)
	}
	t.Skipf("SKIPPED, NO FILE THAT ANYBODY ELSE BROKE WAS READ: %v", err)
	return nil
}

// TestCorruptFilesEndSoonAndSmall runs the program on broken files: as one who
// looks at them, reads their samples, and makes a picture of them.
func TestCorruptFilesEndSoonAndSmall(t *testing.T) {
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
			t.Errorf("%s: it was killed, or hung for %v", name, patience)
		case r.Exit > 0 && len(strings.Fields(r.Output)) < 4:
			t.Errorf("%s: it failed and hardly said why: %q", name, r.Output)
		case r.Memory > memoryBytes:
			t.Errorf("%s: it took %d MiB, at most %d are allowed", name, r.Memory>>20, memoryBytes>>20)
		}
		most = max(most, r.Memory)
	}
	t.Logf("at most %d MiB", most>>20)
}

// partOf is what to read of a file that has gigabytes of samples, nearly all of which are lost.
func partOf(path string) []string {
	if filepath.Base(path) == "issue432.jp2" {
		return []string{"--window", "0,0,1000,200"}
	}
	return nil
}

// run is what became of the program.
type run struct {
	Args   []string
	Exit   int // -1 if it was killed
	Output string
	Memory int64 // at its most, in bytes
}

// measuring is the variable of the environment that makes the program of these tests run the
// one that it names. The system counts as a program's memory what its parent had when it
// began, so a small one has to begin it.
const measuring = "TILESERVER_MEASURE"

// runApart runs the program with each of some arguments, one after the other, from a small parent.
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

// measure is the parent: it reads the arguments and writes what became of each run.
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

// runOnce runs a program, which is killed if it hangs.
func runOnce(program string, args []string) (run, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
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
