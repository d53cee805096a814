package answer

import (
	"context"
	"unsafe"
)

// A hold is what the answer of an exchange has taken of a Sending. The zero hold is nothing.
type hold struct {
	from   *share // which has given bytes; nil if none has
	bytes  int64
	body   *byte       // the first byte of the body that is held; nil if there is only a reservation
	shared *sharedBody // which has the bytes of a large body
}

// A sharedBody is a large body that is being sent.
type sharedBody struct {
	hold
	clients int
}

// MustReserve reports whether an answer of up to n bytes takes them before it is made. A small
// answer is made first, since its bytes are nearly always free. From the end of its rendering until
// Hold no budget has them, unless the cache has. Nothing waits in between, so that is at most about
// smallBytes for each slot that renders: a few megabytes for each core.
func MustReserve(n int64) bool { return n > smallBytes }

// CheckReserve returns the error of Reserve for an answer that can never have n bytes.
func (e *Exchange) CheckReserve(n int64) error {
	if e.Sending == nil {
		return nil
	}
	return e.Sending.shareFor(n).check(n)
}

// Reserve takes n bytes for a body that does not exist yet, in place of what the exchange holds. It
// waits for them. Meanwhile the caller must not keep a body alive, nor anything that others wait
// for.
func (e *Exchange) Reserve(ctx context.Context, n int64) error {
	e.Release()
	if e.Sending == nil || n == 0 {
		return nil
	}
	from := e.Sending.shareFor(n)
	if err := from.acquire(ctx, n); err != nil {
		return err
	}
	e.held = hold{from: from, bytes: n}
	return nil
}

// unheldBytes is the size up to which bodies are not counted: the connection's buffer takes them.
const unheldBytes = 4 << 10

// Hold takes the bytes of a body until the exchange ends, using those that are reserved. It never
// waits. If it returns false, the caller should let go of the body, reserve cap(body) bytes, and
// make the body again.
func (e *Exchange) Hold(body []byte) bool { return e.holdWith(body, 0) }

// holdWith is Hold for a body and for bytes that sending it takes besides.
func (e *Exchange) holdWith(body []byte, beside int64) bool {
	first, n := unsafe.SliceData(body), int64(cap(body))+beside
	if e.Sending == nil || n <= unheldBytes || e.held.body == first {
		return true
	}
	if e.held.body != nil { // another one
		e.Release()
	}
	if n > smallBytes {
		return e.Sending.share(&e.held, first, n)
	}
	if !e.held.resize(&e.Sending.small, n) {
		return false
	}
	e.held.body = first
	return true
}

// weight returns how many times as fast as others a client must read what the exchange holds. While
// its share is pressed, that is once for each MiB. So no client holds such bytes for longer than the
// largest small answer takes, which is about a minute at the default rate.
func (e *Exchange) weight() int64 {
	from, bytes := e.held.from, e.held.bytes
	if shared := e.held.shared; shared != nil {
		from, bytes = shared.from, shared.bytes
	}
	if from == nil || !from.isPressed() {
		return 1
	}
	return (bytes-1)/smallBytes + 1
}

// Release returns the bytes that the exchange holds: before it waits for others, and once the client has the
// response or is cut off.
func (e *Exchange) Release() {
	if e.held.shared != nil {
		e.Sending.unshare(&e.held)
	} else if e.held.from != nil {
		e.held.from.budget.Release(e.held.bytes)
	}
	e.held = hold{}
}

// resize changes the number of bytes of a reservation, or makes one. It returns false if they are
// not free.
func (h *hold) resize(from *share, n int64) bool {
	if h.from == nil {
		h.from = from
	}
	if n > h.bytes && !h.from.budget.TryAcquire(n-h.bytes) {
		return false
	}
	if n < h.bytes {
		h.from.budget.Release(h.bytes - n)
	}
	h.bytes = n
	return true
}

// share makes h hold a large body. Of all exchanges that send it, the first takes its bytes. The
// others return what they have reserved.
func (s *Sending) share(h *hold, first *byte, n int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	shared := s.sent[first]
	if shared == nil {
		if !h.resize(&s.large, n) {
			return false
		}
		shared = &sharedBody{hold: *h}
		s.sent[first] = shared
	} else if h.from != nil {
		h.from.budget.Release(h.bytes)
	}
	shared.clients++
	*h = hold{body: first, shared: shared}
	return true
}

// unshare ends a hold of a large body. The last one returns its bytes.
func (s *Sending) unshare(h *hold) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h.shared.clients--
	if h.shared.clients == 0 {
		delete(s.sent, h.body)
		h.shared.from.budget.Release(h.shared.bytes)
	}
}
