// Package sourcetest helps to test what reads from a source.Source, and whatever is one: a Fake that counts and
// misbehaves on demand, and a conformance suite. It must never be imported by anything but tests.
package sourcetest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"tileserver/source"
)

// Fake is a Source of bytes in memory that remembers what it was asked for, and is slow or fails when told to.
type Fake struct {
	bytes      *source.Bytes
	generation int // how many objects were in this place, this one included

	mu       sync.Mutex // guards what follows
	calls    [][]source.Range
	failures map[int]error
	changed  bool
	closed   bool
	delay    time.Duration
	held     chan struct{} // calls wait until it is closed; nil: they don't
}

var _ source.Source = (*Fake)(nil)

// Counts is what a Fake was asked for, calls that failed included.
type Counts struct {
	Calls, Ranges int
	Bytes         int64
}

// NewFake returns a Fake of data that behaves well.
func NewFake(data []byte) *Fake { return newFake(data, 1) }

func newFake(data []byte, generation int) *Fake {
	return &Fake{bytes: source.NewBytes("fake", data), generation: generation, failures: make(map[int]error)}
}

// Name is "fake".
func (f *Fake) Name() string { return f.bytes.Name() }

// Version is another one for each Replace, also where the bytes are the same.
func (f *Fake) Version() string { return fmt.Sprintf("%s-%d", f.bytes.Version(), f.generation) }

// Size returns the length of the data.
func (f *Fake) Size() int64 { return f.bytes.Size() }

// ReadRanges remembers the ranges, waits as long as it was told to, and then fails as it was told to or answers.
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

// failure is looked up when the waiting is over, so that a Fake can change while a call is held.
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

// Close remembers that it was called, and fails if it was before.
func (f *Fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return fmt.Errorf("%s is closed twice", f.Name())
	}
	f.closed = true
	return nil
}

// FailCall makes call number n fail with err; the first one ever is number 1.
func (f *Fake) FailCall(n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures[n] = err
}

// Delay makes every call take so long.
func (f *Fake) Delay(delay time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delay = delay
}

// Hold makes the calls from now on wait until release is called, or their context ends. Release it once.
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

// Replace puts data in the place of the object: from now on f fails with ErrChanged. What it returns is what one finds
// who opens the object again.
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
