package guard

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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

// kind is what a call asks of a storage. That calls of one kind are answered says nothing of another:
// while a disk hangs, the system still knows the names and states of files.
type kind uint8

const (
	asking  kind = iota // for names, states and versions
	reading             // bytes
	kindCount
)

// trust is what is known of the calls of a kind while their storage is away.
type trust int

const (
	doubted   trust = iota // calls of another kind fail
	failing                // the last one failed
	answering              // the last one was answered
)

// standing is the trust in a kind of calls, and when it is tried again unless it is answered.
type standing struct {
	trust     trust
	pause     time.Duration
	nextProbe time.Time
}

// storage is what is known of a storage.
type storage struct {
	name   string
	config *Config
	isAway atomic.Bool

	mu                sync.Mutex                    // guards the fields below, and changes of isAway
	recent            [enoughFailures - 1]time.Time // of the last failures, a ring
	failures, refused int64
	reason            string
	standings         [kindCount]standing // while it is away
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

// call makes a call of a storage before a deadline, unless the storage is left alone.
func call[T any](ctx context.Context, s *storage, k kind, timeout time.Duration, do func(context.Context) (T, error)) (result T, err error) {
	limited := &deadline{Context: ctx, storage: s, timeout: timeout, kind: k}
	defer limited.end()
	if k == asking { // no store tells whether it has names in memory
		err = limited.Reach()
	}
	if err == nil {
		result, err = do(limited)
	}
	return result, s.judge(limited, err)
}

// read reads ranges as a call. It has no function of its own, since reads are many and small.
func (s *storage) read(ctx context.Context, from source.Source, ranges []source.Range) ([][]byte, error) {
	limited := &deadline{Context: ctx, storage: s, timeout: s.config.Timeout, kind: reading}
	defer limited.end()
	parts, err := from.ReadRanges(limited, ranges)
	return parts, s.judge(limited, err)
}

// admit returns why a call must not go to the storage, or nil. If a probe is due, the call takes it.
func (s *storage) admit(k kind) *StalledError {
	if !s.isAway.Load() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	why := s.whyNot(k)
	if why != nil && why.Wait == 0 {
		s.standings[k].scheduleProbe()
		return nil
	}
	return why
}

// refusal returns why a call that takes no probe must not go to the storage, or nil.
func (s *storage) refusal(k kind) *StalledError {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.whyNot(k)
}

// whyNot returns why calls of a kind are left to probes, or nil. The caller holds the lock.
func (s *storage) whyNot(k kind) *StalledError {
	own := &s.standings[k]
	if !s.isAway.Load() || own.trust == answering {
		return nil
	}
	return &StalledError{s.name, s.reason, max(time.Until(own.nextProbe), 0)}
}

// scheduleProbe sets when the next call is let through, whether or not the probes before it have ended.
func (own *standing) scheduleProbe() {
	own.pause = min(max(2*own.pause, firstPause), maxPause)
	own.nextProbe = time.Now().Add(own.pause - rand.N(own.pause/2))
}

// fail notes that a call failed. Those that were answered are tried by probes again.
func (own *standing) fail() {
	if own.trust == answering {
		own.scheduleProbe()
	}
	own.trust = failing
}

// refuse counts a call that was refused, and returns why it was.
func (s *storage) refuse(refusal *StalledError) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused++
	return refusal
}

// judge decides whose fault the error of a call is, if there is one, and returns what to tell the
// caller. A read that found its bytes in memory says nothing of the storage.
func (s *storage) judge(limited *deadline, err error) error {
	reached, refusal := limited.outcome()
	switch {
	case err != nil && refusal != nil:
		return s.refuse(refusal)
	case err != nil && limited.Context.Err() != nil: // the caller has left
		return err
	case errors.Is(err, context.DeadlineExceeded) && limited.hasPassed():
		return s.noteFailure(limited.kind, fmt.Sprintf("no answer within %v", limited.timeout))
	case errors.Is(err, source.ErrStalled):
		return s.noteFailure(limited.kind, err.Error())
	case reached:
		s.noteAnswer(limited.kind)
	}
	return err
}

// noteAnswer ends the absence of the storage, unless calls of another kind fail.
func (s *storage) noteAnswer(k kind) {
	if !s.isAway.Load() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.standings[k] = standing{trust: answering}
	isFailing := func(other standing) bool { return other.trust == failing }
	if !s.isAway.Load() || slices.ContainsFunc(s.standings[:], isFailing) {
		return
	}
	s.isAway.Store(false)
	clear(s.recent[:])
	s.config.Logger.Info("storage answers again", "storage", s.name)
}

// noteFailure counts a failure of the storage, and declares it away if there were enough. While it is
// away, one failure suffices to try a kind of calls by probes only.
func (s *storage) noteFailure(k kind, reason string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	oldest := &s.recent[s.failures%int64(len(s.recent))]
	isEnough := !oldest.IsZero() && now.Sub(*oldest) < failureSpan+enoughFailures*s.config.Timeout
	*oldest = now
	s.failures++
	switch own := &s.standings[k]; {
	case s.isAway.Load():
		own.fail()
	case isEnough:
		s.leaveAlone(k, reason)
	}
	return &StalledError{s.name, reason, 0}
}

// leaveAlone declares the storage away because calls of a kind fail.
func (s *storage) leaveAlone(k kind, reason string) {
	s.reason, s.standings = reason, [kindCount]standing{}
	for each := range s.standings {
		s.standings[each].scheduleProbe()
	}
	s.standings[k].trust = failing
	s.isAway.Store(true)
	s.config.Logger.Warn("storage does not answer, its layers cannot be drawn until it does", "storage", s.name, "err", reason)
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
