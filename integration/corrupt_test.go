//go:build unix

package integration

import (
	"context"
	"encoding/json"
	"errors"
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
	most := int64(0)
	for _, path := range corruptFiles(t) {
		out := filepath.Join(t.TempDir(), "out")
		for _, r := range runApart(t, [][]string{
			{"info", path},
			append([]string{"read", path, "-o", out}, partOf(path)...),
			{"render", path, "--max_size", "64", "-o", out + ".png"},
		}) {
			name := r.Args[0] + " " + filepath.Base(path)
			switch {
			case strings.Contains(r.Output, "panic") || strings.Contains(r.Output, "goroutine "):
				t.Errorf("%s: it panicked:\n%s", name, r.Output)
			case r.Exit < 0:
				t.Errorf("%s: it was killed", name)
			case r.Exit > 0 && len(strings.Fields(r.Output)) < 4:
				t.Errorf("%s: it failed and hardly said why: %q", name, r.Output)
			case r.Memory > memoryBytes:
				t.Errorf("%s: it took %d MiB, at most %d are allowed", name, r.Memory>>20, memoryBytes>>20)
			}
			most = max(most, r.Memory)
		}
	}
	t.Logf("at most %d MiB", most>>20)
}

// partOf is what to read of a file that says that it has dozens of gigabytes of samples.
func partOf(path string) []string {
	switch filepath.Base(path) {
	case "edf_c2_1000671.jp2", "issue432.jp2", "issue823.jp2":
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

// measuring is the variable of the environment that makes the program of these tests
// run others and write what became of them to a file. The system counts as a
// program's memory what its parent had when it began, so a small one has to begin it.
const measuring = "TILESERVER_MEASURE_INTO"

// runApart runs the program with each of some arguments, from a small parent.
func runApart(t *testing.T, commands [][]string) (runs []run) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	asked, err := json.Marshal(commands)
	if err != nil {
		t.Fatal(err)
	}
	into := filepath.Join(t.TempDir(), "runs")
	parent := exec.CommandContext(ctx, self, program(t), string(asked))
	parent.Env = append(os.Environ(), measuring+"="+into)
	if output, err := parent.CombinedOutput(); err != nil {
		t.Fatalf("%v: it hangs, or cannot be run: %v\n%s", commands, err, output)
	}
	text, err := os.ReadFile(into)
	if err == nil {
		err = json.Unmarshal(text, &runs)
	}
	if err != nil || len(runs) != len(commands) {
		t.Fatalf("%d runs: %v", len(runs), err)
	}
	return runs
}

// measure is the parent.
func measure(into string, args []string) error {
	var commands [][]string
	if err := json.Unmarshal([]byte(args[1]), &commands); err != nil {
		return err
	}
	runs := make([]run, len(commands))
	for i, c := range commands {
		command := exec.Command(args[0], c...)
		output, err := command.CombinedOutput()
		if command.ProcessState == nil {
			return err
		}
		usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok {
			return errors.New("the system does not tell what a process used")
		}
		runs[i] = run{c, command.ProcessState.ExitCode(), string(output), int64(usage.Maxrss)}
		if runtime.GOOS == "linux" {
			runs[i].Memory *= 1024
		}
	}
	text, err := json.Marshal(runs)
	if err != nil {
		return err
	}
	return os.WriteFile(into, text, 0o600)
}
