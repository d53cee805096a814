package transport

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// turns bounds the requests of an origin at a time. The bound is halved when the origin asks for fewer,
// and grows by one for as many answers as it is large.
type turns struct {
	max int

	mu       sync.Mutex // guards the fields below
	limit    float64
	running  int
	waiting  list.List // of chan struct{}, first come first served
	slowedAt time.Time
}

func newTurns(max int) *turns { return &turns{max: max, limit: float64(max)} }

// enter waits for a turn.
func (t *turns) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	granted, place := t.takeOrQueue()
	if granted == nil {
		return nil
	}
	select {
	case <-granted:
		return nil
	case <-ctx.Done():
	}
	t.withdraw(granted, place)
	return ctx.Err()
}

// takeOrQueue takes a turn, or returns what is closed once there is one.
func (t *turns) takeOrQueue() (granted chan struct{}, place *list.Element) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting.Len() == 0 && t.running < int(t.limit) {
		t.running++
		return nil, nil
	}
	granted = make(chan struct{})
	return granted, t.waiting.PushBack(granted)
}

// withdraw gives up a place in the queue, or the turn that came meanwhile.
func (t *turns) withdraw(granted chan struct{}, place *list.Element) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-granted:
		t.running--
		t.grant()
	default:
		t.waiting.Remove(place)
	}
}

// leave ends a turn.
func (t *turns) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running--
	t.grant()
}

// grant gives free turns to those that wait. The caller holds the lock.
func (t *turns) grant() {
	for t.waiting.Len() > 0 && t.running < int(t.limit) {
		t.running++
		close(t.waiting.Remove(t.waiting.Front()).(chan struct{}))
	}
}

// noteAnswer lets the bound grow.
func (t *turns) noteAnswer() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.limit < float64(t.max) {
		t.limit = min(t.limit+1/t.limit, float64(t.max))
		t.grant()
	}
}

// slowdownPause is how long the bound is not halved again: requests that were under way when it was are
// refused, too.
const slowdownPause = time.Second

// slowDown halves the bound.
func (t *turns) slowDown() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := time.Now(); now.Sub(t.slowedAt) >= slowdownPause {
		t.slowedAt, t.limit = now, max(t.limit/2, 1)
	}
}

func (t *turns) isIdle() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.running == 0 && t.waiting.Len() == 0
}

// hasFree reports whether another request may begin now.
func (t *turns) hasFree() bool {
	running, limit := t.state()
	return running < limit
}

func (t *turns) state() (running, limit int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.running, int(t.limit)
}
