package guard

import (
	"context"
	"sync/atomic"
	"time"

	"tileserver/source"
)

// deadline is a context that ends some time after somebody begins to wait for its end. Until then it
// has neither a time nor a timer, because most reads find their bytes in memory and wait for nothing.
type deadline struct {
	context.Context
	config  *Config
	timeout time.Duration
	refusal *StalledError // why the call must not go to the storage; nil if it may
	reached atomic.Bool   // whether it went there, or was about to
	timed   atomic.Pointer[timer]
}

// timer is a context that ends at the deadline.
type timer struct {
	context.Context
	stop, noteEnd func()
}

// Deadline returns the time.
func (d *deadline) Deadline() (time.Time, bool) { return d.current().Deadline() }

// Done starts the timer.
func (d *deadline) Done() <-chan struct{} { return d.current().Done() }

// Err returns why the context has ended. Without a timer that can only be its parent's end.
func (d *deadline) Err() error {
	if timed := d.timed.Load(); timed != nil {
		return timed.Err()
	}
	return d.Context.Err()
}

// Value finds the context with the timer, so that contexts made from this one end with it and need no
// goroutine for that. It also says who is told of a call that goes to its storage.
func (d *deadline) Value(key any) any {
	if key == (source.ReachKey{}) {
		return d
	}
	return d.current().Value(key)
}

// Reach notes that the call goes to its storage, unless it must not.
func (d *deadline) Reach() error {
	d.reached.Store(true)
	if d.refusal != nil {
		return d.refusal
	}
	return nil
}

// isRefused reports whether the call ended because it must not go to its storage.
func (d *deadline) isRefused() bool {
	return d.refusal != nil && (d.reached.Load() || d.hasPassed())
}

// current returns the context with the timer.
func (d *deadline) current() *timer {
	if timed := d.timed.Load(); timed != nil {
		return timed
	}
	ctx, cancel := context.WithTimeout(d.Context, d.timeout)
	own := &timer{ctx, cancel, d.config.OnWait(d.Context)}
	if !d.timed.CompareAndSwap(nil, own) { // another caller was faster
		own.end()
	}
	return d.timed.Load()
}

func (t *timer) end() {
	t.stop()
	t.noteEnd()
}

// end releases the timer.
func (d *deadline) end() {
	if timed := d.timed.Load(); timed != nil {
		timed.end()
	}
}

// hasPassed reports whether the time has come while the parent goes on.
func (d *deadline) hasPassed() bool {
	timed := d.timed.Load()
	if timed == nil || d.Context.Err() != nil {
		return false
	}
	at, _ := timed.Deadline()
	return !time.Now().Before(at)
}
