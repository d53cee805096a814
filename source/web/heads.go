package web

import (
	"context"
	"errors"
	"sync"
	"time"
)

// headTime is how long what was read of an object stands for its state: to ask for the state and then to open it
// takes one request. It is also how long an object is known not to be there.
const headTime = 5 * time.Second

// heads remembers the heads of objects, and reads each once at a time.
type heads struct {
	read  func(ctx context.Context, path string, in *room) (*head, error)
	known *shelf[*headCall]

	mu      sync.Mutex // guards the field below, and what is put on the shelf
	reading map[string]*headCall
}

// headCall is a head that is read or was. Once done is closed, the fields below it are fixed.
type headCall struct {
	at      time.Time
	done    chan struct{}
	head    *head
	err     error // nil or fs.ErrNotExist, if it is remembered
	hasLeft bool  // whether the one that read has left, so that others must read
}

// besideHeadBytes is what a head takes beside its bytes.
const besideHeadBytes = 512

// size returns the memory of what is remembered.
func (c *headCall) size() int64 {
	if c.head == nil {
		return besideHeadBytes
	}
	return besideHeadBytes + int64(cap(c.head.bytes))
}

// of returns the head of the object at a path, read at most maxAge ago. The error is fs.ErrNotExist if there
// is none.
func (h *heads) of(ctx context.Context, path string, maxAge time.Duration) (*head, error) {
	for {
		call, isOwn := h.join(path, maxAge)
		if isOwn {
			h.finish(ctx, path, call)
			return call.head, call.err
		}
		select {
		case <-call.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if !call.hasLeft {
			return call.head, call.err
		}
		if err := ctx.Err(); err != nil { // the one that left did not learn it
			return nil, err
		}
	}
}

// join returns what is known or under way, or a call that the caller makes.
func (h *heads) join(path string, maxAge time.Duration) (call *headCall, isOwn bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if known, ok := h.known.get(path); ok && time.Since(known.at) < maxAge {
		return known, false
	}
	if running, ok := h.reading[path]; ok {
		return running, false
	}
	call = &headCall{done: make(chan struct{}), at: time.Now()}
	h.reading[path] = call
	return call, true
}

// finish reads a head.
func (h *heads) finish(ctx context.Context, path string, call *headCall) {
	in := &room{in: h.known.in}
	defer h.remember(path, call, in)
	call.err = errPanicked
	call.head, call.err = h.read(ctx, path, in)
	call.hasLeft = call.err != nil && ctx.Err() != nil
}

// errPanicked is what others get that waited for a call that panics.
var errPanicked = errors.New("panic in a request")

// remember ends a call, and keeps what it found.
func (h *heads) remember(path string, call *headCall, in *room) {
	defer in.free()
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.reading, path)
	close(call.done)
	h.known.drop(path)
	if call.err == nil || isMissing(call.err) {
		in.shrink(call.size())
		h.known.put(path, call, in)
	}
}

// bytesOf returns the beginning of a version of an object, as far as it is remembered.
func (h *heads) bytesOf(path string, v version) []byte {
	if known, ok := h.known.get(path); ok && known.head != nil && known.head.version == v {
		return known.head.bytes
	}
	return nil
}

// forget makes the next call ask for the head of an object.
func (h *heads) forget(path string) { h.known.drop(path) }
