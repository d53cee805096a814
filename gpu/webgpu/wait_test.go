//go:build gpu && cgo

package webgpu

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"tileserver/gpu/gputest"
	"tileserver/gpu/submission"
)

// slowSource counts for longer than a test waits, on any device.
const slowSource = `
@group(0) @binding(2) var<storage, read_write> output: array<u32>;

@compute @workgroup_size(1)
fn count() {
	for (var i = 0u; i < 20000000u; i++) {
		output[0] = output[0] * 3u + i;
	}
}
`

// openDevice opens a device without a runner.
func openDevice(t *testing.T) *device {
	t.Helper()
	instance := newInstance()
	defer instance.Release()
	adapter, err := take(instance, 0)
	gputest.RequireDevice(t, err)
	defer adapter.Release()
	d, err := newDevice(adapter)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// submitSlowly submits what takes long, and returns the buffer where it ends.
func submitSlowly(t *testing.T, d *device) submission.Buffer {
	t.Helper()
	pipeline, err := d.NewPipeline(slowSource, "count")
	if err != nil {
		t.Fatal(err)
	}
	commands := &submission.Commands{Dispatches: []submission.Dispatch{{Pipeline: pipeline, Columns: 1, Rows: 1}}}
	for i, use := range []submission.Use{submission.Upload, submission.Upload, submission.Working, submission.Working, submission.Landing} {
		b, err := d.NewBuffer(4, use)
		if err != nil {
			t.Fatal(err)
		}
		if i < 4 {
			commands.Bindings[i] = submission.Range{Buffer: b, Bytes: 4}
		}
		commands.To = submission.Range{Buffer: b, Bytes: 4}
	}
	commands.From = commands.Bindings[2]
	if err := d.Submit(commands); err != nil {
		t.Fatal(err)
	}
	return commands.To.Buffer
}

func TestAReaderGivesUpInTimeAndAnotherIsRefused(t *testing.T) {
	d := openDevice(t)
	landing := submitSlowly(t, d)
	slow := errors.New("slow")
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Millisecond, slow)
	defer cancel()
	if err := landing.Read(ctx, make([]byte, 4)); !errors.Is(err, slow) {
		t.Errorf("got %v, want %v", err, slow)
	}
	if err := landing.Read(t.Context(), make([]byte, 4)); err == nil || errors.Is(err, slow) {
		t.Errorf("a second reader of the same bytes gets %v", err)
	}
	for !d.device.Poll(false, nil) { // until the device is done
		runtime.Gosched()
	}
	d.Close()
}
