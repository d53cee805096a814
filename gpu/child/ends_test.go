//go:build linux

package child_test

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

func TestChildEndsWithItsParent(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), behavior+"=is the parent")
	printed, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	process, err := bufio.NewReader(printed).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // it was killed
	for isRunning(t, strings.TrimSpace(process)) {
		runtime.Gosched()
	}
}

// isRunning reports whether a process runs. One that has ended may stay as a zombie until somebody asks
// for its status.
func isRunning(t *testing.T, process string) bool {
	stat, err := os.ReadFile("/proc/" + process + "/stat")
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

func TestRestartsLeaveNothingBehind(t *testing.T) {
	restarts := 200
	if testing.Short() {
		restarts = 20
	}
	alone := held(t)
	d := newDevice(t, "works")
	cycle := func() {
		d.await()
		if err := d.add(50); err != nil {
			t.Fatal(err)
		}
		process := d.Process()
		b, ended := d.runForever(t.Context())
		d.kill()
		<-ended
		d.End(b)
		d.pass(1 << 40)
		if _, err := os.Stat("/proc/" + strconv.Itoa(process)); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("process %d is left: %v", process, err)
		}
	}
	for range 5 {
		cycle()
	}
	before := held(t)
	for range restarts {
		cycle()
	}
	if after := held(t); after.descriptors > before.descriptors || after.shared > before.shared || after.goroutines > before.goroutines+restarts/2 {
		t.Errorf("after %d restarts it holds %+v, before them %+v", restarts, after, before)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if left := held(t); left.descriptors > alone.descriptors || left.shared > alone.shared {
		t.Errorf("with a closed device it holds %+v, before it was made %+v", left, alone)
	}
}

// holdings are what a process has.
type holdings struct{ descriptors, shared, goroutines int }

// held returns what this process has; shared counts mappings of shared memory.
func held(t *testing.T) holdings {
	descriptors, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	return holdings{len(descriptors), strings.Count(string(maps), "memfd:"), runtime.NumGoroutine()}
}
