package transport

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"tileserver/source"
)

const (
	// maxTries bounds the tries of a request that break.
	maxTries = 5

	// The pauses between two tries are drawn at random from a span that doubles.
	firstPause = 100 * time.Millisecond
	maxPause   = 5 * time.Second

	// maxHeldTime is how long a request waits for an origin that asks to be left alone. One that would wait longer
	// fails at once.
	maxHeldTime = 5 * time.Second
)

// attempts are the tries of a request that failed.
type attempts struct {
	turn       *Turn
	count      int // without those that advanced
	hasLearned bool
	held       time.Duration // how long the origin was left alone
}

// fail waits until the request may be tried again after an error, or returns the error of the request.
func (a *attempts) fail(ctx context.Context, r Request, err error) error {
	refused, held := (*refusedError)(nil), (*source.HeldError)(nil)
	isHeld := errors.As(err, &held) && !isFinal(err)
	switch {
	case errors.As(err, &refused):
		return a.learn(ctx, r, refused)
	case progressOf(err) == advanced:
		a.count = 0
		return nil
	case isHeld && a.held+held.Wait > maxHeldTime:
		return held
	case isHeld && !errors.As(err, new(*passingError)): // then nobody was asked
		return a.await(ctx, held)
	}
	pause, again := a.again(err)
	switch {
	case !again && isHeld:
		return held
	case !again:
		return stalledUnlessFinal(r.URL, err)
	case isHeld:
		return a.await(ctx, held)
	}
	return Sleep(ctx, pause)
}

// learn tells a signer of a refusal, unless another server than the one that it signs for refused. It returns the
// error of the request, unless that may succeed now.
func (a *attempts) learn(ctx context.Context, r Request, refused *refusedError) error {
	if a.hasLearned || r.Signer == nil || !refused.isOwn || !r.Signer.Learn(ctx, refused.refusal) {
		return cmp.Or(context.Cause(ctx), refused.refusal.err())
	}
	a.hasLearned = true
	return nil
}

// await waits until the origin may be asked again. Those that wait do not come back all at once.
func (a *attempts) await(ctx context.Context, held *source.HeldError) error {
	a.held += held.Wait
	return Sleep(ctx, held.Wait+rand.N(firstPause))
}

// again reports whether a failed try should be followed by another one, and after which pause.
func (a *attempts) again(err error) (pause time.Duration, again bool) {
	a.count++
	isWrongAgain := progressOf(err) == wrong && a.count > 1
	if isFinal(err) || isWrongAgain || a.count == maxTries || !a.turn.origin.retries.spend() {
		return 0, false
	}
	a.turn.origin.counts.retries.Add(1)
	span := min(firstPause<<(a.count-1), maxPause)
	return span/2 + rand.N(span/2), true
}

// refusedError is a refusal of which a signer may learn.
type refusedError struct {
	refusal Refusal
	isOwn   bool // whether the server that was asked refused, and none that it redirects to
}

func (e *refusedError) Error() string { return e.refusal.err().Error() }

// passing returns the error of an answer that says that the request may succeed later.
func (t *Turn) passing(answer *http.Response) error {
	failed := &passingError{status: answer.StatusCode}
	if isSlowDown(answer.StatusCode) {
		t.origin.counts.slowdowns.Add(1)
		t.origin.turns.slowDown()
		if wait := retryAfter(answer.Header, time.Now()); wait > 0 {
			failed.held = t.origin.held(wait)
		}
	}
	return failed
}
