package transport

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"tileserver/source"
)

// maxHold bounds how long an origin is left alone that asks for it. Then it is asked anyway.
const maxHold = time.Minute

// hold is how long an origin is left alone, as it has asked for.
type hold struct {
	mu    sync.Mutex // guards the field below
	until time.Time
}

// extend leaves the origin alone for some time from now on.
func (h *hold) extend(wait time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if until := time.Now().Add(wait); until.After(h.until) {
		h.until = until
	}
}

// left returns how long the origin is left alone from now on.
func (h *hold) left() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return max(time.Until(h.until), 0)
}

// check returns an error if the origin is left alone.
func (o *origin) check() error {
	if wait := o.hold.left(); wait > 0 {
		return o.held(wait)
	}
	return nil
}

// held returns the error of a request that comes too early.
func (o *origin) held(wait time.Duration) *source.HeldError {
	return &source.HeldError{Reason: fmt.Sprintf("%s asks to be left alone for %v", o.name, wait.Round(time.Millisecond)), Wait: wait}
}

// note leaves the origin alone if an answer asks for that.
func (o *origin) note(answer *http.Response) {
	if !isSlowDown(answer.StatusCode) {
		return
	}
	if wait := retryAfter(answer.Header, time.Now()); wait > 0 {
		o.hold.extend(wait)
	}
}

// retryAfter returns how long a server asks to wait, from its own time on; at most maxHold.
func retryAfter(header http.Header, now time.Time) time.Duration {
	text := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 64); err == nil {
		return min(time.Duration(min(seconds, uint64(maxHold/time.Second)))*time.Second, maxHold)
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	if told, err := http.ParseTime(header.Get("Date")); err == nil {
		now = told
	}
	return min(max(at.Sub(now), 0), maxHold)
}
