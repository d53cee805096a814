// Package sourcetest helps to test users and implementations of source.Source: a Fake that counts
// calls and fails on demand, and a conformance suite. Only tests may import it.
package sourcetest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"tileserver/source"
)

// Fake is a Source of bytes in memory. It records its calls, and delays or fails them on demand.
type Fake struct {
	bytes      *source.Bytes
	generation int // the number of objects at this name so far, including this one

	mu       sync.Mutex // guards the fields below
	calls    [][]source.Range
	failures map[int]error
	changed  bool
	closed   bool
	delay    time.Duration
	held     chan struct{} // if not nil, calls wait until it is closed
}

var _ source.Source = (*Fake)(nil)

// Counts sums up the calls of a Fake, including failed ones.
type Counts struct {
	Calls, Ranges int
	Bytes         int64
}

// NewFake returns a Fake of data without delays or failures.
func NewFake(data []byte) *Fake { return newFake(data, 1) }

func newFake(data []byte, generation int) *Fake {
	return &Fake{bytes: source.NewBytes("fake", data), generation: generation, failures: make(map[int]error)}
}

// Name returns "fake".
func (f *Fake) Name() string { return f.bytes.Name() }

// Version differs after each Replace, even for equal bytes.
func (f *Fake) Version() string { return fmt.Sprintf("%s-%d", f.bytes.Version(), f.generation) }

// Size returns the length of the data.
func (f *Fake) Size() int64 { return f.bytes.Size() }

// ReadRanges records the ranges, waits as configured, and then fails as configured or answers.
func (f *Fake) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	call, delay, held := f.enter(ranges)
	if err := pause(ctx, delay, held); err != nil {
		return nil, err
	}
	if err := f.failure(call); err != nil {
		return nil, fmt.Errorf("read %s: call %d: %w", f.Name(), call, err)
	}
	return f.bytes.ReadRanges(ctx, ranges)
}

func (f *Fake) enter(ranges []source.Range) (call int, delay time.Duration, held chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, slices.Clone(ranges))
	return len(f.calls), f.delay, f.held
}

func pause(ctx context.Context, delay time.Duration, held chan struct{}) error {
	if delay > 0 {
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if held != nil {
		select {
		case <-held:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// failure is called after the wait, so that a Fake can change while a call is held.
func (f *Fake) failure(call int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.failures[call]; err != nil {
		return err
	}
	if f.changed {
		return source.ErrChanged
	}
	return nil
}

// Close records the call, and fails the second time.
func (f *Fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return fmt.Errorf("%s is closed twice", f.Name())
	}
	f.closed = true
	return nil
}

// FailCall makes call number n fail with err. The first call is number 1.
func (f *Fake) FailCall(n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures[n] = err
}

// Delay delays every call.
func (f *Fake) Delay(delay time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delay = delay
}

// Hold makes future calls wait until release is called or their context ends. Call release once.
func (f *Fake) Hold() (release func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	held := make(chan struct{})
	f.held = held
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		close(held)
		if f.held == held {
			f.held = nil
		}
	}
}

// Replace simulates the replacement of the object by data: from now on f fails with ErrChanged. The
// result is the Source that reopening would give.
func (f *Fake) Replace(data []byte) *Fake {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changed = true
	return newFake(data, f.generation+1)
}

// Calls returns the ranges of each call so far.
func (f *Fake) Calls() [][]source.Range {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

// Counts sums up the calls so far.
func (f *Fake) Counts() Counts {
	f.mu.Lock()
	defer f.mu.Unlock()
	counts := Counts{Calls: len(f.calls)}
	for _, ranges := range f.calls {
		counts.Ranges += len(ranges)
		for _, r := range ranges {
			counts.Bytes += r.Length
		}
	}
	return counts
}

// Closed reports whether Close was called.
func (f *Fake) Closed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed
}
