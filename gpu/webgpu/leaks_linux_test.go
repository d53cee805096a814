//go:build gpu && cgo

package webgpu_test

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"testing"

	"tileserver/gpu"
	"tileserver/gpu/gputest"
	"tileserver/gpu/webgpu/webgputest"
)

// What a driver keeps for good, it has after the first rounds.
func TestBatchesLeaveNothing(t *testing.T) {
	const warm, rounds = 20, 100
	runner := webgputest.Open(t)
	var files, memory int
	for round := range warm + rounds {
		runSeveral(t, runner)
		if round == warm-1 {
			files, memory = openFiles(t), residentBytes(t)
		}
	}
	if now := openFiles(t); now > files {
		t.Errorf("%d files are open, %d were", now, files)
	}
	now := residentBytes(t)
	t.Logf("%d KiB are resident, %d were", now>>10, memory>>10)
	if perRound := (now - memory) / rounds; perRound > 64<<10 {
		t.Errorf("each round leaves %d KiB", perRound>>10)
	}
}

// Memory that is freed goes back to the system at once: the input, the output, and what the output is copied
// to. The library keeps what it uploaded the input through for the next batch.
func TestMemoryIsFreedAtOnce(t *testing.T) {
	runner := webgputest.Open(t)
	const large = 64 << 20
	b := gpu.Buffers{Records: make([]byte, 4*gpu.RecordWords), Input: make([]byte, large), Output: make([]byte, large)}
	for range 3 {
		if err := runner.Run(adder, adder.Steps(make([]gpu.Job, 1)), b); err != nil {
			t.Fatal(err)
		}
		before := residentBytes(t)
		runner.FreeMemory()
		if freed := before - residentBytes(t); freed < 5*large/2 {
			t.Errorf("%d KiB were freed, of three buffers of %d KiB", freed>>10, large>>10)
		}
	}
	runtime.KeepAlive(b)
}

// runSeveral runs batches of several sizes, and frees their memory.
func runSeveral(t *testing.T, runner gpu.Runner) {
	t.Helper()
	for _, count := range []int{500, 20_000, 1, 3000} {
		s := newSums(uint64(count), count)
		s.check(t, gputest.Run(t, runner, adder, s.jobs, s.inputs))
	}
	runner.FreeMemory()
}

func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

func residentBytes(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var size, resident int
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		t.Fatal(err)
	}
	return resident * os.Getpagesize()
}
