package submission_test

import (
	"context"
	"fmt"
	"testing"

	"tileserver/gpu/submission"
)

// recorder is a device that notes what it is asked for. Its kernels do nothing.
type recorder struct {
	calls    map[string]int
	commands *submission.Commands // the latest
	live     int64                // bytes of all buffers
	most     int64                // that were live at a time
	open     int                  // buffers and pipelines

	fail  string // the call that fails
	hangs bool
}

func newRecorder() *recorder { return &recorder{calls: make(map[string]int)} }

// note counts a call, which may be to fail.
func (r *recorder) note(call string) error {
	r.calls[call]++
	if r.fail == call {
		return fmt.Errorf("%s failed", call)
	}
	return nil
}

func (r *recorder) NewBuffer(bytes int64, use submission.Use) (submission.Buffer, error) {
	if err := r.note("allocate"); err != nil {
		return nil, err
	}
	r.live += bytes
	r.most = max(r.most, r.live)
	r.open++
	return &recordedBuffer{r, bytes, use}, nil
}

func (r *recorder) NewPipeline(_, entry string) (submission.Pipeline, error) {
	if err := r.note("compile"); err != nil {
		return nil, err
	}
	r.open++
	return &recordedPipeline{r, entry}, nil
}

func (r *recorder) Submit(commands *submission.Commands) error {
	r.commands = commands
	return r.note("submit")
}

func (r *recorder) Close() { r.calls["close"]++ }

type recordedBuffer struct {
	recorder *recorder
	bytes    int64
	use      submission.Use
}

func (b *recordedBuffer) Write(data []byte) error {
	if int64(len(data)) > b.bytes {
		return fmt.Errorf("%d bytes into a buffer of %d", len(data), b.bytes)
	}
	return b.recorder.note("write")
}

func (b *recordedBuffer) Read(ctx context.Context, into []byte) error {
	if int64(len(into)) > b.bytes {
		return fmt.Errorf("%d bytes from a buffer of %d", len(into), b.bytes)
	}
	if b.recorder.hangs {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	return b.recorder.note("wait")
}

func (b *recordedBuffer) Release() {
	b.recorder.live -= b.bytes
	b.recorder.open--
}

type recordedPipeline struct {
	recorder *recorder
	entry    string
}

func (p *recordedPipeline) Release() { p.recorder.open-- }

// check compares the calls since the last check.
func (r *recorder) check(t *testing.T, what string, want map[string]int) {
	t.Helper()
	for _, call := range []string{"allocate", "compile", "write", "submit", "wait", "close"} {
		if r.calls[call] != want[call] {
			t.Errorf("%s: %d times %s, want %d", what, r.calls[call], call, want[call])
		}
	}
	clear(r.calls)
}
