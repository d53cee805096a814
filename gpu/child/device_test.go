//go:build unix

package child_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tileserver/gpu"
	"tileserver/gpu/child"
)

// device is a device under test.
type device struct {
	*child.Device
	t   testing.TB
	log *logText

	mu  sync.Mutex
	now time.Time
}

// newDevice returns a device whose child behaves in some way. Its breaker has a clock of its own.
func newDevice(t testing.TB, behave string) *device { return newDeviceOf(t, configOf(behave)) }

func configOf(behave string) child.Config {
	return child.Config{
		Program: os.Args[0], Environment: []string{behavior + "=" + behave},
		MemoryBytes: 1 << 20, StartTime: time.Minute, Deadline: time.Minute, IdleTime: time.Hour,
	}
}

func newDeviceOf(t testing.TB, config child.Config) *device {
	d := &device{t: t, log: new(logText), now: time.Unix(0, 0)}
	config.Logger = slog.New(slog.NewTextHandler(d.log, nil))
	d.Device = child.New(config)
	d.SetClock(d.clock)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func (d *device) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

// pass lets time pass.
func (d *device) pass(t time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(t)
}

// await starts the device. On a busy machine, the system takes a while to end a child that was killed, and
// until then there is no other.
func (d *device) await() gpu.Adapter {
	d.t.Helper()
	var a gpu.Adapter
	var err error
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if a, err = d.Adapter(d.t.Context()); !errors.Is(err, gpu.ErrDown) {
			break
		}
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return a
}

// begin begins a batch of jobs that add numbers to numbers.
func (d *device) begin(kernel *gpu.Kernel, count int) *gpu.Batch {
	d.t.Helper()
	jobs := make([]gpu.Job, count)
	for i := range jobs {
		jobs[i] = gpu.Job{Parameters: [8]uint32{uint32(i)}, Input: 4, Output: 4, Scratch: 4}
	}
	b, err := d.Begin(d.t.Context(), kernel, jobs)
	if err != nil {
		d.t.Fatal(err)
	}
	return b
}

// add runs a batch of jobs.
func (d *device) add(count int) error {
	b := d.begin(adder, count)
	defer d.End(b)
	first := rand.Uint32()
	for i := range count {
		binary.LittleEndian.PutUint32(b.InputOf(i), first)
	}
	if err := d.Run(d.t.Context(), b); err != nil {
		return err
	}
	for i := range count {
		if got, want := binary.LittleEndian.Uint32(b.OutputOf(i)), first+3*uint32(i); b.Status(i) != gpu.Done || got != want {
			return fmt.Errorf("job %d has the status %d and the sum %d, want %d", i, b.Status(i), got, want)
		}
	}
	return nil
}

// mustAdd fails the test if the device does not compute.
func (d *device) mustAdd() {
	d.t.Helper()
	if err := d.add(7); err != nil {
		d.t.Fatal(err)
	}
}

// fails runs one job, and expects an error of the device.
func (d *device) fails(kernel *gpu.Kernel) error {
	d.t.Helper()
	b := d.begin(kernel, 1)
	defer d.End(b)
	err := d.Run(d.t.Context(), b)
	if !errors.Is(err, gpu.ErrDown) {
		d.t.Fatalf("got the error %v, want %v", err, gpu.ErrDown)
	}
	return err
}

// isDown expects that the device refuses work, and does not start.
func (d *device) isDown() {
	d.t.Helper()
	before := d.Stats()
	_, err := d.Begin(d.t.Context(), adder, make([]gpu.Job, 1))
	if _, adapterErr := d.Adapter(d.t.Context()); !errors.Is(err, gpu.ErrDown) || !errors.Is(adapterErr, gpu.ErrDown) {
		d.t.Errorf("got the errors %v and %v, want %v", err, adapterErr, gpu.ErrDown)
	}
	if after := d.Stats(); after != before || after.State != child.Down {
		d.t.Errorf("its state is %v with %d starts, want %v with %d", after.State, after.Starts, child.Down, before.Starts)
	}
}

// runForever runs a batch that does not end, and returns once the child computes.
func (d *device) runForever(ctx context.Context) (*gpu.Batch, <-chan error) {
	b := d.begin(forever, 1)
	b.Output[0] = 0
	ended := make(chan error)
	go func() { ended <- d.Run(ctx, b) }()
	for b.Output[0] == 0 {
		runtime.Gosched()
	}
	return b, ended
}

func (d *device) kill() {
	if err := unix.Kill(d.Process(), unix.SIGKILL); err != nil {
		d.t.Error(err)
	}
}

// logText is a log that tests read while it is written.
type logText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logText) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// lines returns the lines that contain a text.
func (l *logText) lines(about string) (found []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		if strings.Contains(line, about) {
			found = append(found, line)
		}
	}
	return found
}

func TestBatchRunsInTheChild(t *testing.T) {
	d := newDevice(t, "works")
	if state := d.Stats().State; state != child.Asleep {
		t.Errorf("a new device is %v", state)
	}
	want := adapter
	want.Limits.BatchBytes = 1 << 19 // half of the memory
	if got := d.await(); got != want {
		t.Errorf("the adapter is %+v, want %+v", got, want)
	}
	for _, count := range []int{1, 7, 500} {
		if err := d.add(count); err != nil {
			t.Errorf("%d jobs: %v", count, err)
		}
	}
	got := d.Stats()
	got.Waited = 0
	if want := (child.Stats{State: child.Ready, Starts: 1, Batches: 3, BytesIn: 508 * 52, BytesOut: 508 * 8}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if lines := d.log.lines(""); len(lines) != 1 || !strings.Contains(lines[0], `msg="GPU is ready" adapter=test driver=Go backend=none software=true`) {
		t.Errorf("the log is %q", lines)
	}
}

func TestFirstUseDoesNotWaitForTheStart(t *testing.T) {
	d := newDevice(t, "works")
	if _, err := d.Begin(t.Context(), adder, make([]gpu.Job, 1)); !errors.Is(err, gpu.ErrDown) {
		t.Errorf("got the error %v, want %v", err, gpu.ErrDown)
	}
	d.await()
	d.mustAdd()
}

func TestManyBatchesShareTheChild(t *testing.T) {
	d := newDevice(t, "works")
	d.await()
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			if err := d.add(1 + 13*i); err != nil {
				t.Errorf("batch %d: %v", i, err)
			}
		})
	}
	all.Wait()
	if s := d.Stats(); s.Batches != 50 || s.Starts != 1 {
		t.Errorf("%d batches ran in %d children", s.Batches, s.Starts)
	}
}

func TestBatchThatCannotFitIsRefused(t *testing.T) {
	d := newDevice(t, "works")
	d.await()
	for _, job := range []gpu.Job{{Input: 1 << 19}, {Scratch: 1 << 19}, {Output: 1 << 40}} {
		if _, err := d.Begin(t.Context(), adder, []gpu.Job{job}); !errors.Is(err, gpu.ErrTooLarge) {
			t.Errorf("got the error %v, want %v", err, gpu.ErrTooLarge)
		}
	}
	b := d.begin(lengthy, 1)
	defer d.End(b)
	if err := d.Run(t.Context(), b); err == nil || errors.Is(err, gpu.ErrDown) {
		t.Errorf("a batch of many steps: %v", err)
	}
	d.mustAdd()
}

func TestBeginWaitsWhileTwoBatchesHaveTheMemory(t *testing.T) {
	d := newDevice(t, "works")
	d.await()
	first, second := d.begin(adder, 3), d.begin(adder, 3)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := d.Begin(ctx, adder, make([]gpu.Job, 1))
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got the error %v, want %v", err, context.Canceled)
	}
	go func() { ended <- d.add(3) }()
	d.End(first)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	d.End(second)
	d.End(second) // once more does nothing
}

func TestCallerLeavesABatchAndItsMemoryStays(t *testing.T) {
	d := newDevice(t, "works")
	d.await()
	ctx, cancel := context.WithCancel(t.Context())
	b, ended := d.runForever(ctx)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got the error %v, want %v", err, context.Canceled)
	}
	d.End(b)
	other := d.begin(adder, 1)
	if _, err := d.Begin(ctx, adder, make([]gpu.Job, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("the memory of a batch in the child is used again: %v", err)
	}
	d.kill()
	if err := d.Run(t.Context(), other); !errors.Is(err, gpu.ErrDown) {
		t.Errorf("got the error %v, want %v", err, gpu.ErrDown)
	}
	d.End(other)
	for d.Stats().Failures == 0 { // whose time is that of the clock then
		runtime.Gosched()
	}
	d.pass(time.Second)
	d.await()
	for range 3 {
		first, second := d.begin(adder, 1), d.begin(adder, 1)
		d.End(first)
		d.End(second)
	}
}

func TestWaitingForMemoryEndsWithTheChild(t *testing.T) {
	d := newDevice(t, "works")
	d.await()
	first, ended := d.runForever(t.Context())
	second := d.begin(adder, 1)
	waited := make(chan error)
	go func() {
		_, err := d.Begin(t.Context(), adder, make([]gpu.Job, 1))
		waited <- err
	}()
	d.kill()
	if run, begin := <-ended, <-waited; !errors.Is(run, gpu.ErrDown) || !errors.Is(begin, gpu.ErrDown) {
		t.Errorf("got the errors %v and %v, want %v", run, begin, gpu.ErrDown)
	}
	d.End(first)
	d.End(second)
}

func TestKilledChildIsStartedAgain(t *testing.T) {
	d := newDevice(t, "works")
	d.await()
	d.mustAdd()
	b, ended := d.runForever(t.Context())
	d.kill()
	if err := <-ended; !errors.Is(err, gpu.ErrDown) || !strings.Contains(err.Error(), "signal: killed") {
		t.Errorf("got the error %v", err)
	}
	d.End(b)
	d.isDown()
	d.pass(time.Second - 1)
	d.isDown()
	d.pass(1)
	d.await()
	d.mustAdd()
	if s := d.Stats(); s.Starts != 2 || s.Failures != 1 || s.State != child.Ready {
		t.Errorf("got %+v", s)
	}
	if lines := d.log.lines("GPU failed, cores do its work until it is back"); len(lines) != 1 || !strings.Contains(lines[0], "retry=1s") {
		t.Errorf("the log is %q", lines)
	}
}

func TestDelayGrowsUntilABatchSucceeds(t *testing.T) {
	d := newDevice(t, "works")
	for _, delay := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
		d.await()
		d.fails(deadly)
		d.pass(delay - 1)
		d.isDown()
		d.pass(1)
	}
	d.await()
	d.mustAdd()
	d.fails(deadly)
	d.pass(time.Second)
	d.await()
}

func TestChildThatMisbehavesIsKilled(t *testing.T) {
	for behave, says := range map[string]string{
		"answers nothing": "it does not answer in time", "answers garbage": `"wombat" is no message`, "answers too much": "token too long",
		"answers another": "out of turn", "closes its replies": "its process ended",
	} {
		t.Run(behave, func(t *testing.T) {
			config := configOf(behave)
			if behave == "answers nothing" {
				config.Deadline = 50 * time.Millisecond
			}
			d := newDeviceOf(t, config)
			d.await()
			if err := d.fails(adder); !strings.Contains(err.Error(), says) {
				t.Errorf("got the error %v, want %q", err, says)
			}
			d.isDown()
		})
	}
}

func TestErrorOfABatchEndsTheChild(t *testing.T) {
	for kernel, says := range map[*gpu.Kernel]string{broken: "the shader is broken", unknown: `no kernel is called "unknown"`, deadly: "exit status 2"} {
		d := newDevice(t, "works")
		d.await()
		if err := d.fails(kernel); !strings.Contains(err.Error(), says) {
			t.Errorf("got the error %v, want %q", err, says)
		}
		d.isDown()
	}
}

// A driver that hangs may keep its process for long after it was killed. There is no device until it ends.
func TestChildThatLingers(t *testing.T) {
	d := newDevice(t, "works")
	end := d.FailLingering()
	d.isDown()
	d.pass(time.Hour)
	d.isDown()
	end()
	d.await()
	d.mustAdd()
}

func TestChildThatCannotStart(t *testing.T) {
	for behave, says := range map[string]string{
		"finds no device": `"no GPU: no adapter" retry=1s`,
		"aborts":          `err="its process ended: exit status 134" retry=1s output="driver: lost device"`,
		"opens nothing":   `err="it does not answer in time"`,
	} {
		t.Run(behave, func(t *testing.T) {
			config := configOf(behave)
			config.StartTime = 50 * time.Millisecond
			if behave != "opens nothing" {
				config.StartTime = time.Minute
			}
			d := newDeviceOf(t, config)
			for range 4 {
				_, err := d.Adapter(t.Context())
				if !errors.Is(err, gpu.ErrDown) || errors.Is(err, gpu.ErrNoDevice) != (behave == "finds no device") {
					t.Errorf("got the error %v", err)
				}
				d.isDown()
				d.pass(time.Hour)
			}
			if lines := d.log.lines(""); len(lines) != 1 || !strings.Contains(lines[0], "GPU cannot be used, cores do its work") || !strings.Contains(lines[0], says) {
				t.Errorf("the log is %q, want one line with %q", lines, says)
			}
			if s := d.Stats(); s.Starts != 4 || s.Failures != 4 {
				t.Errorf("%d starts and %d failures", s.Starts, s.Failures)
			}
		})
	}
}

func TestProgramThatIsMissing(t *testing.T) {
	config := configOf("works")
	config.Program = "/nowhere/tileserver"
	d := newDeviceOf(t, config)
	if _, err := d.Adapter(t.Context()); !errors.Is(err, gpu.ErrDown) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got the error %v", err)
	}
	d.isDown()
}

func TestAdapterStopsWaiting(t *testing.T) {
	d := newDevice(t, "opens nothing")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Adapter(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got the error %v, want %v", err, context.Canceled)
	}
}

func TestIdleDeviceGivesMemoryBack(t *testing.T) {
	d := newDevice(t, "works")
	d.await()
	if err := d.add(500); err != nil {
		t.Fatal(err)
	}
	if d.Pages() == 0 {
		t.Error("a batch takes no memory")
	}
	held := d.begin(adder, 1)
	d.FreeMemory()
	d.End(held)
	d.FreeMemory()
	if pages := d.Pages(); pages != 0 {
		t.Errorf("an idle device has %d pages", pages)
	}
	b := d.begin(frees, 1)
	defer d.End(b)
	if err := d.Run(t.Context(), b); err != nil || b.Output[0] != 2 {
		t.Errorf("memory was freed %d times, want 2: %v", b.Output[0], err)
	}
	d.mustAdd()
}

func TestClosedDevice(t *testing.T) {
	d := newDevice(t, "works")
	d.await()
	if err := d.add(1); err != nil {
		t.Fatal(err)
	}
	b, ended := d.runForever(t.Context())
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, gpu.ErrDown) {
		t.Errorf("got the error %v, want %v", err, gpu.ErrDown)
	}
	if b.Output[0] != 1 {
		t.Error("the memory of a batch is gone before its end")
	}
	d.End(b)
	if _, err := d.Adapter(t.Context()); !errors.Is(err, gpu.ErrDown) {
		t.Errorf("got the error %v, want %v", err, gpu.ErrDown)
	}
	if lines := d.log.lines("failed"); len(lines) > 0 {
		t.Errorf("the log is %q", lines)
	}
}
