//go:build unix

package integration

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// corruptFiles are files that others broke, or that a fuzzer made.
func corruptFiles(t *testing.T) []string {
	t.Helper()
	folder := os.Getenv("TILESERVER_TESTDATA")
	if folder == "" {
		folder = filepath.Join("..", "..", "shared", "testdata")
	}
	var files []string
	err := filepath.WalkDir(filepath.Join(folder, "corrupt", "tiff"), func(path string, entry os.DirEntry, err error) error {
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
	var mostMemory, mostTime int64
	for _, path := range corruptFiles(t) {
		out := filepath.Join(t.TempDir(), "out")
		for _, args := range [][]string{
			{"info", path},
			{"read", path, "-o", out},
			{"render", path, "--max_size", "64", "-o", out + ".png"},
		} {
			memory, taken := endsWell(t, args)
			mostMemory, mostTime = max(mostMemory, memory), max(mostTime, int64(taken))
		}
	}
	t.Logf("at most %d MiB and %v of CPU time", mostMemory>>20, time.Duration(mostTime))
}

// endsWell runs the program, which must end in time and within memory, with no
// output to blush for: an answer, or an error with a sentence that says why.
func endsWell(t *testing.T, args []string) (memory int64, taken time.Duration) {
	t.Helper()
	const (
		hang        = 30 * time.Second // on a machine with other things to do
		memoryBytes = 256 << 20
	)
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	command := exec.CommandContext(ctx, binary, args...)
	output, err := command.CombinedOutput()
	name := args[0] + " " + filepath.Base(args[1])
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		t.Errorf("%s: it hangs", name)
	case err != nil && !errors.As(err, &exit):
		t.Fatal(err)
	case strings.Contains(string(output), "panic") || strings.Contains(string(output), "goroutine "):
		t.Errorf("%s: it panicked:\n%s", name, output)
	case err != nil && len(strings.Fields(string(output))) < 4:
		t.Errorf("%s: it failed and hardly said why: %q", name, output)
	}
	usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Fatal("the system does not tell what a process used")
	}
	memory = int64(usage.Maxrss)
	if runtime.GOOS == "linux" {
		memory *= 1024
	}
	if memory > memoryBytes {
		t.Errorf("%s: it took %d MiB, at most %d are allowed", name, memory>>20, memoryBytes>>20)
	}
	return memory, command.ProcessState.UserTime() + command.ProcessState.SystemTime()
}
