package cache

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// LoadFunc loads the values of missing keys, in the order of the keys.
type LoadFunc[K comparable, V Sizer] func(ctx context.Context, missing []K) ([]V, error)

// ErrWrongCount means that a load returned fewer or more values than keys.
var ErrWrongCount = errors.New("cache: load returned the wrong number of values")

var errLoadExited = errors.New("cache: load ended its goroutine instead of returning")

// PanicError reports that a load panicked. The stack is for the log.
type PanicError struct {
	Value any // the argument of panic
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("cache: load panicked: %v", e.Value) }

// Unwrap returns the argument of panic if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// load is a batch of keys that are loaded together. The owner sets keys and cancel, which are fixed
// once the load starts. entries and err are fixed once done is closed.
type load[K comparable, V Sizer] struct {
	keys   []K
	cancel context.CancelFunc

	done    chan struct{}
	entries []*entry[K, V]
	err     error

	mu       sync.Mutex // guards the fields below; locked inside a shard's lock, and no lock is taken inside it
	waiters  int
	finished bool
}

// position locates the value of a key in a load. The zero position locates nothing.
type position[K comparable, V Sizer] struct {
	load  *load[K, V]
	index int

	isAhead bool // in the table of a shard: nobody has asked for the value yet
}

func newLoad[K comparable, V Sizer]() *load[K, V] { return &load[K, V]{done: make(chan struct{})} }

// add appends a key to a load that has not started, and counts its owner as a waiter.
func (l *load[K, V]) add(key K) position[K, V] {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiters++
	l.keys = append(l.keys, key)
	return position[K, V]{load: l, index: len(l.keys) - 1}
}

// join adds a waiter. It fails if the last waiter has left, because then the load is being
// canceled.
func (l *load[K, V]) join() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiters == 0 {
		return false
	}
	l.waiters++
	return true
}

// leave removes a waiter, and reports whether it was the last one of a running load.
func (l *load[K, V]) leave() (abandoned bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiters--
	return l.waiters == 0 && !l.finished
}

// wait returns when the load has ended, or with the error of ctx.
func (l *load[K, V]) wait(ctx context.Context) error {
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *load[K, V]) finish(entries []*entry[K, V], err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.finished, l.entries, l.err = true, entries, err
	close(l.done)
}

// newEntries loads keys, and measures the values and what each of them cost.
func newEntries[K comparable, V Sizer](ctx context.Context, keys []K, load LoadFunc[K, V]) ([]*entry[K, V], error) {
	ctx, watch := startStopwatch(ctx)
	values, err := callLoad(ctx, slices.Clone(keys), load) // a clone, because load may sort its keys
	if err != nil {
		return nil, err
	}
	cost := watch.cost() / time.Duration(len(keys))
	entries := make([]*entry[K, V], len(values))
	for i, value := range values {
		entries[i] = newEntry(keys[i], value, cost)
	}
	return entries, nil
}

// callLoad calls load and checks the number of values.
func callLoad[K comparable, V Sizer](ctx context.Context, keys []K, load LoadFunc[K, V]) ([]V, error) {
	values, err := load(ctx, keys)
	if err != nil {
		return nil, err
	}
	if len(values) != len(keys) {
		return nil, fmt.Errorf("%w: %d for %d keys", ErrWrongCount, len(values), len(keys))
	}
	return values, nil
}

// guard calls f and converts a panic to a PanicError.
func guard[T any](f func() (T, error)) (result T, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return f()
}
