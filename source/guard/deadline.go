package guard

import (
	"context"
	"sync"
	"time"
)

// deadline is a context that ends at a time. It has no timer until somebody waits for its end, because
// most reads find their bytes in memory and wait for nothing.
type deadline struct {
	context.Context
	at      time.Time
	timeout time.Duration // from the call to the deadline

	mu     sync.Mutex // guards the fields below
	timed  context.Context
	cancel context.CancelFunc
}

// Deadline returns the time.
func (d *deadline) Deadline() (time.Time, bool) { return d.current().Deadline() }

// Done starts the timer.
func (d *deadline) Done() <-chan struct{} { return d.current().Done() }

// Err returns why the context has ended. Without a timer that can only be its parent's end.
func (d *deadline) Err() error {
	d.mu.Lock()
	timed := d.timed
	d.mu.Unlock()
	if timed == nil {
		return d.Context.Err()
	}
	return timed.Err()
}

// Value finds the context with the timer, so that contexts made from this one end with it and need no
// goroutine for that.
func (d *deadline) Value(key any) any { return d.current().Value(key) }

// current returns the context with the timer.
func (d *deadline) current() context.Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timed == nil {
		d.timed, d.cancel = context.WithDeadline(d.Context, d.at)
	}
	return d.timed
}

// stop releases the timer.
func (d *deadline) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.cancel != nil {
		d.cancel()
	}
}

// hasPassed reports whether the time has come while the parent goes on.
func (d *deadline) hasPassed() bool { return d.Context.Err() == nil && !time.Now().Before(d.at) }
