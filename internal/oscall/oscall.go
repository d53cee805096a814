// Package oscall makes calls of the operating system for callers that do not wait for a disk or a
// file server that hangs: each call has a goroutine of its own, which goes on after its caller has left.
//
// Package source/local reads files with it, and package cache/disk reads and writes what is stored. It
// owns the goroutines of calls that hang, of which there are only so many. It must never know what a
// call is for.
package oscall

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// Threads bound the calls that run at a time, each in a thread of the system. A device that hangs
// holds as many. A nil Threads bounds nothing: its calls end when the system answers.
type Threads struct {
	slots chan struct{} // holds one element for each running call
	left  atomic.Int64  // running calls whose callers have left
}

// NewThreads returns a number of threads.
func NewThreads(count int) *Threads { return &Threads{slots: make(chan struct{}, count)} }

// Hanging returns how many calls go on although their callers have left.
func (t *Threads) Hanging() int { return int(t.left.Load()) }

// A HangingError means that every thread has a call whose caller has left.
type HangingError struct{ Calls int }

func (e *HangingError) Error() string { return fmt.Sprintf("%d calls hang", e.Calls) }

// A TimeoutError means that a call took longer than it may.
type TimeoutError struct{ Limit time.Duration }

func (e *TimeoutError) Error() string { return fmt.Sprintf("no answer within %v", e.Limit) }

// ErrBusy means that no thread became free in time. The device may answer nevertheless.
var ErrBusy = errors.New("all threads are busy")

// MakeWithin is Make with a limit. The call may take as long from when it has a thread, and fails with a
// TimeoutError after that. It waits as long for a thread, and fails with ErrBusy if it gets none: many
// calls at a time are no fault of the device. t must not be nil.
func MakeWithin[T any](ctx context.Context, t *Threads, limit time.Duration, call func() (T, error)) (value T, err error) {
	if err := ctx.Err(); err != nil {
		return value, err
	}
	waiting, leave := context.WithTimeoutCause(ctx, limit, ErrBusy)
	defer leave()
	if err := t.enter(waiting); err != nil {
		return value, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, limit, &TimeoutError{limit})
	defer cancel()
	return run(limited, t, call)
}

// Make makes a call. It returns with the error of ctx when that ends; then nobody gets what the call
// returns. It fails at once with a HangingError if every thread has a call that was left.
func Make[T any](ctx context.Context, t *Threads, call func() (T, error)) (value T, err error) {
	if err := ctx.Err(); err != nil {
		return value, err
	}
	if t == nil {
		return call()
	}
	if err := t.enter(ctx); err != nil {
		return value, err
	}
	return run(ctx, t, call)
}

// run makes a call that has a thread, and leaves the thread.
func run[T any](ctx context.Context, t *Threads, call func() (T, error)) (value T, err error) {
	done := make(chan result[T], 1)
	var isDecided atomic.Bool // by the end of the call, or by its caller's leaving
	go func() {
		value, err := call()
		if isDecided.Swap(true) {
			t.left.Add(-1)
		}
		<-t.slots
		done <- result[T]{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
	}
	t.left.Add(1)
	if isDecided.Swap(true) { // it ended at the same time
		t.left.Add(-1)
	}
	return value, context.Cause(ctx)
}

// result is what a call returned.
type result[T any] struct {
	value T
	err   error
}

// enter waits for a thread.
func (t *Threads) enter(ctx context.Context) error {
	select {
	case t.slots <- struct{}{}:
		return nil
	default:
	}
	if t.Hanging() >= cap(t.slots) {
		return &HangingError{cap(t.slots)}
	}
	select {
	case t.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
