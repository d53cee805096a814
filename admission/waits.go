package admission

import (
	"context"
	"sync"
	"time"
)

// waits is how long a visit has waited for its sources, which may be read by several calls at a time.
type waits struct {
	// countsLast is for statistics and builds. They wait the longer the larger their file is, so only
	// the time since the last answer counts.
	countsLast bool

	mu    sync.Mutex // guards the fields below
	calls int
	since time.Time // when the first of these began, or the last answer came
	ended time.Duration
	all   time.Duration // ended, without having forgotten any
}

// begin begins a call. It reports whether no other one is under way.
func (w *waits) begin() (isFirst bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls++; w.calls == 1 {
		w.since = time.Now()
	}
	return w.calls == 1
}

// end ends a call. It reports whether the visit can go on.
func (w *waits) end() (goesOn bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls--
	switch now := time.Now(); {
	case w.countsLast:
		w.since = now
		return true
	case w.calls == 0:
		w.ended += now.Sub(w.since)
		w.all += now.Sub(w.since)
		return true
	}
	return false
}

// forget begins to count anew.
func (w *waits) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.since, w.ended = time.Now(), 0
}

func (w *waits) total() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls == 0 {
		return w.ended
	}
	return w.ended + time.Since(w.since)
}

// inAll returns how long the visit has waited in calls that ended. None is under way.
func (w *waits) inAll() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all
}

// Wait records that the work of a context waits for a source, until the returned function is called.
func Wait(ctx context.Context) (end func()) {
	v, ok := ctx.Value(visitKey{}).(*visit)
	if !ok {
		return func() {}
	}
	if v.waits.begin() && v.mayLend() {
		v.gate.lend(v)
	}
	return func() {
		if v.waits.end() {
			v.gate.resume(v)
		}
	}
}
