package guard

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"tileserver/source"
)

// deadline is the context of a call. It ends some time after somebody begins to wait for its end. Until
// then it has neither a time nor a timer, because most reads find their bytes in memory and wait for nothing.
type deadline struct {
	context.Context
	place
	timed atomic.Pointer[timer]
	kind  kind
	asked atomic.Bool // the store has told that it asks the storage

	mu      sync.Mutex    // guards the fields below: at most one is set, once
	reached bool          // the call may go to its storage
	refusal *StalledError // why it must not
}

// timer is a context that ends at the deadline.
type timer struct {
	context.Context
	stop, noteEnd func()
	patience      *time.Timer // with a call that does not reach its storage; nil if that is not away
}

// memoryTime is how long a call may wait that does not reach its storage, while that is away. It suffices
// for what is in memory.
const memoryTime = 100 * time.Millisecond

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

// Reach lets the call go to its storage, as the store tells that it must.
func (d *deadline) Reach() error {
	d.asked.Store(true)
	return d.admit()
}

// admit lets the call go to its storage, unless that or the object is left alone. Of what is away, it takes the
// probe that is due. The goroutines of a call share the answer.
func (d *deadline) admit() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.reached {
		return nil
	}
	if d.refusal == nil {
		if err := d.Err(); err != nil { // nobody would learn how the probe ends
			return err
		}
		d.refusal = d.place.admit(d.kind)
	}
	if d.refusal != nil {
		return d.refusal
	}
	d.reached = true
	return nil
}

// Advance begins the time of the call anew. Contexts that were made from this one before end.
func (d *deadline) Advance() {
	if timed := d.timed.Swap(nil); timed != nil {
		timed.end()
	}
}

// giveUp ends a call that waits although it has not reached its storage, if that is still away. It takes
// no probe.
func (d *deadline) giveUp(stop func()) {
	d.mu.Lock()
	if !d.reached && d.refusal == nil {
		d.refusal = d.storage.refusal(d.kind)
	}
	isRefused := d.refusal != nil
	d.mu.Unlock()
	if isRefused {
		stop()
	}
}

// outcome returns whether the call reached its storage, and why it was refused, if it was.
func (d *deadline) outcome() (reached bool, refusal *StalledError) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.reached, d.refusal
}

// current returns the context with the timer.
func (d *deadline) current() *timer {
	if timed := d.timed.Load(); timed != nil {
		return timed
	}
	ctx, cancel := context.WithTimeout(d.Context, d.timeout)
	own := &timer{Context: ctx, stop: cancel, noteEnd: d.storage.config.OnWait(d.Context)}
	if d.storage.isAway.Load() {
		own.patience = time.AfterFunc(memoryTime, func() { d.giveUp(cancel) })
	}
	if !d.timed.CompareAndSwap(nil, own) { // another caller was faster
		own.end()
	}
	return d.timed.Load()
}

func (t *timer) end() {
	if t.patience != nil {
		t.patience.Stop()
	}
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
