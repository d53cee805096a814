package versions

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// An attempt opens the next version. Callers wait on done; next and err are valid once it is
// closed.
type attempt[V any] struct {
	done chan struct{}
	next *V
	err  error
}

// maxOpenTime bounds an attempt, which no request waits for in the end. It is far longer than a storage
// takes that answers at all.
const maxOpenTime = 5 * time.Minute

// Next replaces old, which has changed, by the next version, and returns that. Concurrent callers
// share one attempt and its error. The attempt goes on when they leave. Requests that still use old
// keep it; the garbage collector closes its files.
func (s *Sequence[V]) Next(ctx context.Context, old *V) (*V, error) {
	s.mu.Lock()
	if v := s.active.Load(); v != old {
		s.mu.Unlock()
		return v, nil
	}
	a, isRunning := s.attempt, s.attempt != nil
	if !isRunning {
		a = &attempt[V]{done: make(chan struct{}), err: errors.New("opening was interrupted")}
		s.attempt = a
	}
	s.mu.Unlock()
	switch {
	case isRunning:
	case old == nil: // nobody else waits, and the caller recovers from a panic
		s.try(ctx, a, old)
		return a.next, a.err
	default:
		go s.tryAlone(a, old)
	}
	select {
	case <-a.done:
		return a.next, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// tryAlone makes an attempt that belongs to no request.
func (s *Sequence[V]) tryAlone(a *attempt[V], old *V) {
	ctx, cancel := context.WithTimeout(context.Background(), maxOpenTime)
	defer cancel()
	s.try(ctx, a, old)
}

func (s *Sequence[V]) try(ctx context.Context, a *attempt[V], old *V) {
	defer s.finish(a)
	a.next, a.err = s.open(ctx, old)
}

// open opens the version after old, once it is complete.
func (s *Sequence[V]) open(ctx context.Context, old *V) (*V, error) {
	if old != nil {
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
