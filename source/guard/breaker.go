package guard

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tileserver/source"
)

const (
	// What fails is away after enoughFailures within failureSpan, or as long as these take one after the
	// other.
	enoughFailures = 5
	failureSpan    = time.Minute

	// The pauses between two probes. Each is twice as long as the one before, less up to a half: many
	// servers of one storage must not probe it at the same time.
	firstPause = time.Second
	maxPause   = 30 * time.Second
)

// trust is what is known of the calls of a kind while what they ask is away.
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

// breaker is what is known of something that may fail: a storage, or an object on one.
type breaker struct {
	name      string
	span      time.Duration // in which enoughFailures are enough
	onAway    func(reason string)
	onAnswers func()
	isAway    atomic.Bool

	mu                sync.Mutex                  // guards the fields below, and changes of isAway
	recent            [enoughFailures - 1]failure // the last ones, a ring
	failures, refused int64
	reason            string
	standings         [kindCount]standing // while it is away
}

// failure is a failure of a call.
type failure struct {
	at     time.Time
	object string // whose fault it may be; "" for none
}

// newBreaker returns what is known of a storage or an object before it is asked.
func newBreaker(name string, c *Config, told messages) *breaker {
	b := &breaker{name: name, span: failureSpan + enoughFailures*c.Timeout}
	b.onAway = func(reason string) { c.Logger.Warn(told.away, told.of, name, "err", reason) }
	b.onAnswers = func() { c.Logger.Info(told.answers, told.of, name) }
	return b
}

// messages are what the log says of a storage or of an object.
type messages struct{ of, away, answers string }

// StalledError means that a storage did not answer, or is not asked because it is away. It is a
// source.ErrStalled.
type StalledError struct {
	Storage string // or the object on it that fails while others do not
	Reason  string
	Wait    time.Duration // until the next probe; 0 if the storage may be asked at once
}

func (e *StalledError) Error() string { return fmt.Sprintf("storage %s: %s", e.Storage, e.Reason) }

// Unwrap returns source.ErrStalled.
func (*StalledError) Unwrap() error { return source.ErrStalled }

// RetryAfter returns how long to wait before another try.
func (e *StalledError) RetryAfter() time.Duration { return e.Wait }

// admit returns why a call must not be made, or nil. If a probe is due, the call takes it.
func (b *breaker) admit(k kind) *StalledError {
	if !b.isAway.Load() {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	why := b.whyNot(k)
	if why != nil && why.Wait == 0 {
		b.standings[k].scheduleProbe()
		return nil
	}
	return why
}

// refusal returns why a call that takes no probe must not be made, or nil.
func (b *breaker) refusal(k kind) *StalledError {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.whyNot(k)
}

// whyNot returns why calls of a kind are left to probes, or nil. The caller holds the lock.
func (b *breaker) whyNot(k kind) *StalledError {
	own := &b.standings[k]
	if !b.isAway.Load() || own.trust == answering {
		return nil
	}
	return &StalledError{b.name, b.reason, max(time.Until(own.nextProbe), 0)}
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

// noteRefused counts a call that was refused.
func (b *breaker) noteRefused() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refused++
}

// noteAnswer ends the absence, unless calls of another kind fail. It reports whether there is none now.
func (b *breaker) noteAnswer(k kind) (isBack bool) {
	if !b.isAway.Load() {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.standings[k] = standing{trust: answering}
	isFailing := func(other standing) bool { return other.trust == failing }
	if !b.isAway.Load() || slices.ContainsFunc(b.standings[:], isFailing) {
		return !b.isAway.Load()
	}
	b.isAway.Store(false)
	clear(b.recent[:])
	b.onAnswers()
	return true
}

// excuse forgets the failures that may be the fault of single objects, since another one is well.
func (b *breaker) excuse() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.recent {
		if b.recent[i].object != "" {
			b.recent[i] = failure{}
		}
	}
}

// noteFailure counts a failure, and declares an absence if there were enough. During one, a failure
// suffices to try a kind of calls by probes only.
func (b *breaker) noteFailure(k kind, reason, object string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	latest := failure{time.Now(), object}
	isEnough := b.isEnough(latest)
	b.recent[b.failures%int64(len(b.recent))] = latest
	b.failures++
	switch own := &b.standings[k]; {
	case b.isAway.Load():
		own.fail()
	case isEnough:
		b.leaveAlone(k, reason)
	}
	return &StalledError{b.name, reason, 0}
}

// isEnough reports whether a failure after the recent ones shows an absence. Those that may be the fault of one
// object do not. The caller holds the lock.
func (b *breaker) isEnough(latest failure) bool {
	isOfOne := latest.object != ""
	for _, earlier := range b.recent {
		if earlier.at.IsZero() || latest.at.Sub(earlier.at) >= b.span {
			return false
		}
		isOfOne = isOfOne && earlier.object == latest.object
	}
	return !isOfOne
}

// leaveAlone declares an absence because calls of a kind fail.
func (b *breaker) leaveAlone(k kind, reason string) {
	b.reason, b.standings = reason, [kindCount]standing{}
	for each := range b.standings {
		b.standings[each].scheduleProbe()
	}
	b.standings[k].trust = failing
	b.isAway.Store(true)
	b.onAway(reason)
}

func (b *breaker) status() Status {
	b.mu.Lock()
	defer b.mu.Unlock()
	status := Status{Name: b.name, IsAway: b.isAway.Load(), Failures: b.failures, Refused: b.refused}
	if status.IsAway {
		status.Reason = b.reason
	}
	return status
}
