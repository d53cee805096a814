package versions

import (
	"context"
	"errors"
	"fmt"
)

// An attempt opens the next version. Callers wait on done; next and err are valid once it is
// closed.
type attempt[V any] struct {
	done chan struct{}
	next *V
	err  error
}

// Next replaces old, which has changed, by the next version, and returns that. Concurrent callers
// share one attempt and its error. Requests that still use old keep it; the garbage collector closes
// its files.
func (s *Sequence[V]) Next(ctx context.Context, old *V) (*V, error) {
	s.mu.Lock()
	if v := s.active.Load(); v != old {
		s.mu.Unlock()
		return v, nil
	}
	a, isWaiter := s.attempt, s.attempt != nil
	if !isWaiter {
		a = &attempt[V]{done: make(chan struct{}), err: errors.New("opening was interrupted")}
		s.attempt = a
	}
	s.mu.Unlock()
	if isWaiter {
		select {
		case <-a.done:
			return a.next, a.err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	defer s.finish(a)
	a.next, a.err = s.open(ctx, old)
	return a.next, a.err
}

// open opens the version after old, once it is complete.
func (s *Sequence[V]) open(ctx context.Context, old *V) (*V, error) {
	if old != nil {
		ctx = context.WithoutCancel(ctx) // other callers wait for the result too
		if err := s.config.Settle(ctx, old); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUnsettled, err)
		}
	}
	return s.config.Open(ctx, old)
}

// finish publishes the result of an attempt, or reports its error, and wakes the waiting callers.
func (s *Sequence[V]) finish(a *attempt[V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.next != nil {
		if previous := s.active.Swap(a.next); previous != nil {
			s.config.OnChange()
		}
		s.reportedError = ""
	} else if s.config.OnError != nil && s.active.Load() != nil && s.reportedError != a.err.Error() {
		s.reportedError = a.err.Error()
		s.config.OnError(a.err)
	}
	s.attempt = nil
	close(a.done)
}
