// Package credential keeps what proves to a service who asks, such as a token, and renews it before it
// expires. The signers of requests to buckets use it. It must never know what a credential is, nor how it
// is fetched.
package credential

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// Fetch fetches a credential from where it is issued. One that does not expire has the zero time.
type Fetch[T comparable] func(ctx context.Context) (credential T, expires time.Time, err error)

// Kept is a credential that is fetched when it is first needed, and then renewed, by one fetch at a time.
// Its methods are safe for concurrent use.
type Kept[T comparable] struct {
	fetch Fetch[T]

	mu      sync.Mutex // guards the fields below; it is not held while the credential is fetched
	value   T
	expires time.Time     // of the value; zero: never
	isKept  bool          // there is a value
	isNew   bool          // the last fetch brought another value than the one before
	failure error         // of the last fetch
	fetched time.Time     // when the last fetch ended
	renewAt time.Time     // when the next one may begin
	running chan struct{} // closed when the fetch under way ends; nil: there is none
}

// New returns a credential that is not fetched yet.
func New[T comparable](fetch Fetch[T]) *Kept[T] { return &Kept[T]{fetch: fetch} }

const (
	fetchTime = time.Minute // that a fetch may take

	// Credentials are renewed this long before they expire, or after half of their time if that is
	// shorter. Those who issue them have new ones about five minutes before.
	renewBefore = 5 * time.Minute

	// What does not expire is fetched again after this time: its file may have another one.
	rereadAfter = time.Hour

	// Fetches are at least this long apart, also if they fail. What expires sooner is of no use.
	fetchPause = 5 * time.Second

	// What was fetched this short a time ago and is refused is not fetched again.
	refusedPause = 30 * time.Second
)

// errExpired is the error of a fetch that brings what is of no use any more.
var errExpired = errors.New("the credentials had expired when they were issued, or the clock of this machine is wrong")

// Value returns a credential that has not expired. Only who finds none waits for a fetch.
func (k *Kept[T]) Value(ctx context.Context) (T, error) {
	k.mu.Lock()
	now := time.Now().Round(0) // without the time since the start, which stops while a machine sleeps
	if k.running == nil && (!now.Before(k.renewAt) || k.isFromTheFuture(now)) {
		k.renew()
	}
	value, isValid, ended := k.value, k.isValid(now), k.running
	k.mu.Unlock()
	if isValid {
		return value, nil
	}
	if err := wait(ctx, ended); err != nil {
		return *new(T), err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failure != nil {
		return *new(T), k.failure
	}
	return k.value, nil
}

// Renew is called when a service refused the credential. It reports whether there is another one now.
func (k *Kept[T]) Renew(ctx context.Context) (isNew bool) {
	k.mu.Lock()
	now := time.Now().Round(0)
	if k.running == nil && (now.Sub(k.fetched) >= refusedPause || k.isFromTheFuture(now)) {
		k.renew()
	}
	ended := k.running
	k.mu.Unlock()
	if err := wait(ctx, ended); err != nil {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.isNew
}

// isFromTheFuture reports whether the clock was set back since the last fetch, as after the start of a machine. The
// caller holds the lock.
func (k *Kept[T]) isFromTheFuture(now time.Time) bool { return now.Before(k.fetched) }

// isValid reports whether there is a credential that may be used. The caller holds the lock.
func (k *Kept[T]) isValid(now time.Time) bool {
	return k.isKept && (k.expires.IsZero() || now.Before(k.expires))
}

// renew begins to fetch. It does not end with the request that it is made for, since others wait, too.
// The caller holds the lock.
func (k *Kept[T]) renew() {
	ended := make(chan struct{})
	k.running = ended
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), fetchTime)
		defer cancel()
		value, expires, err := k.fetchSafely(ctx)
		k.mu.Lock()
		defer k.mu.Unlock()
		k.note(value, expires, err)
		k.running = nil
		close(ended)
	}()
}

// fetchSafely fetches. A panic is an error, since nobody else would recover.
func (k *Kept[T]) fetchSafely(ctx context.Context) (value T, expires time.Time, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic while credentials are fetched: %v\n%s", panicked, debug.Stack())
		}
	}()
	return k.fetch(ctx)
}

// note notes what a fetch brought. After a failure the old value remains for its time. The caller holds
// the lock.
func (k *Kept[T]) note(value T, expires time.Time, err error) {
	now := time.Now().Round(0)
	if err == nil && !expires.IsZero() && expires.Sub(now) < fetchPause {
		err = errExpired
	}
	k.fetched, k.failure = now, err
	k.renewAt = now.Add(fetchPause)
	k.isNew = err == nil && k.isKept && value != k.value
	if err != nil {
		return
	}
	k.value, k.expires, k.isKept = value, expires, true
	k.renewAt = now.Add(max(renewAfter(now, expires), fetchPause))
}

// renewAfter returns how long a credential is used before it is renewed.
func renewAfter(now, expires time.Time) time.Duration {
	if expires.IsZero() {
		return rereadAfter
	}
	rest := expires.Sub(now)
	return rest - min(renewBefore, rest/2)
}

// wait waits until a fetch ends, if there is one.
func wait(ctx context.Context, ended <-chan struct{}) error {
	if ended == nil {
		return nil
	}
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
