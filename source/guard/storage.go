package guard

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"tileserver/source"
)

const (
	// A storage is away after enoughFailures within failureSpan, or as long as these take one after the
	// other. Successes between them do not count: bytes in memory can be read although the disk hangs.
	enoughFailures = 5
	failureSpan    = time.Minute

	// The pauses between two probes. Each is twice as long as the one before, less up to a half: many
	// servers of one storage must not probe it at the same time.
	firstPause = time.Second
	maxPause   = 30 * time.Second
)

// storage is what is known of a storage.
type storage struct {
	name   string
	config *Config
	isAway atomic.Bool

	mu                sync.Mutex                    // guards the fields below, and changes of isAway
	recent            [enoughFailures - 1]time.Time // of the last failures, a ring
	failures, refused int64
	reason            string
	pause             time.Duration
	nextProbe         time.Time
}

// StalledError means that a storage did not answer, or is not asked because it is away. It is a
// source.ErrStalled.
type StalledError struct {
	Storage string
	Reason  string
	Wait    time.Duration // until the next probe; 0 if the storage may be asked at once
}

func (e *StalledError) Error() string { return fmt.Sprintf("storage %s: %s", e.Storage, e.Reason) }

// Unwrap returns source.ErrStalled.
func (*StalledError) Unwrap() error { return source.ErrStalled }

// RetryAfter returns how long to wait before another try.
func (e *StalledError) RetryAfter() time.Duration { return e.Wait }

// call makes a call of a storage before a deadline, unless the storage is away.
func call[T any](ctx context.Context, s *storage, timeout time.Duration, do func(context.Context) (T, error)) (result T, err error) {
	if err := s.admit(); err != nil {
		return result, err
	}
	limited := &deadline{Context: ctx, config: s.config, timeout: timeout}
	defer limited.end()
	result, err = do(limited)
	return result, s.judge(limited, err)
}

// read reads ranges as a call. It has no function of its own, since reads are many and small.
func (s *storage) read(ctx context.Context, from source.Source, ranges []source.Range) ([][]byte, error) {
	if err := s.admit(); err != nil {
		return nil, err
	}
	limited := &deadline{Context: ctx, config: s.config, timeout: s.config.Timeout}
	defer limited.end()
	parts, err := from.ReadRanges(limited, ranges)
	return parts, s.judge(limited, err)
}

// admit returns an error if the storage is away and no probe is due.
func (s *storage) admit() error {
	if !s.isAway.Load() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isAway.Load() {
		return nil
	}
	if wait := time.Until(s.nextProbe); wait > 0 {
		s.refused++
		return &StalledError{s.name, s.reason, wait}
	}
	s.scheduleProbe()
	return nil
}

// scheduleProbe sets when the next call is let through, whether or not the probes before it have ended.
func (s *storage) scheduleProbe() {
	s.pause = min(max(2*s.pause, firstPause), maxPause)
	s.nextProbe = time.Now().Add(s.pause - rand.N(s.pause/2))
}

// judge decides whose fault the error of a call is, if there is one, and returns what to tell the
// caller.
func (s *storage) judge(limited *deadline, err error) error {
	switch {
	case err == nil:
		s.noteAnswer()
		return nil
	case limited.Context.Err() != nil: // the caller has left
		return err
	case errors.Is(err, context.DeadlineExceeded) && limited.hasPassed():
		return s.noteFailure(fmt.Sprintf("no answer within %v", limited.timeout))
	case errors.Is(err, source.ErrStalled):
		return s.noteFailure(err.Error())
	}
	s.noteAnswer()
	return err
}

// noteAnswer ends the absence of the storage.
func (s *storage) noteAnswer() {
	if !s.isAway.Load() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isAway.Swap(false) {
		clear(s.recent[:])
		s.pause = 0
		s.config.Logger.Info("storage answers again", "storage", s.name)
	}
}

// noteFailure counts a failure of the storage, and declares it away if there were enough.
func (s *storage) noteFailure(reason string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	oldest := &s.recent[s.failures%int64(len(s.recent))]
	isEnough := !oldest.IsZero() && now.Sub(*oldest) < failureSpan+enoughFailures*s.config.Timeout
	*oldest = now
	s.failures++
	if isEnough && !s.isAway.Load() {
		s.reason = reason
		s.scheduleProbe()
		s.isAway.Store(true)
		s.config.Logger.Warn("storage does not answer, its layers cannot be drawn until it does", "storage", s.name, "err", reason)
	}
	return &StalledError{s.name, reason, 0}
}

func (s *storage) status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := Status{Name: s.name, IsAway: s.isAway.Load(), Failures: s.failures, Refused: s.refused}
	if status.IsAway {
		status.Reason = s.reason
	}
	return status
}
