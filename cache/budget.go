package cache

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrOverBudget means that a request for bytes exceeds the whole Budget, so that waiting would not
// help.
var ErrOverBudget = errors.New("cache: over the budget")

// Budget bounds the bytes in use by work in progress. A caller acquires bytes before it allocates,
// and releases them when it is done. Requests are served in order of arrival: a small one never
// overtakes a large one at the head of the queue, which would otherwise starve. A nil Budget has no
// bound.
type Budget struct {
	maxBytes int64

	mu         sync.Mutex // guards the fields below
	inUseBytes int64
	queue      list.List // of *waiter, in order of arrival
}

// waiter is a call of Acquire that waits for bytes. Under the lock of the Budget, grant removes it
// from the queue and closes granted.
type waiter struct {
	bytes   int64
	granted chan struct{}
}

// NewBudget returns a Budget of maxBytes.
func NewBudget(maxBytes int64) *Budget { return &Budget{maxBytes: maxBytes} }

// Acquire reserves n bytes. It waits until they are free, or returns the error of ctx. A request
// over the whole budget fails at once with ErrOverBudget. So does a negative one, which is an
// overflowed product.
func (b *Budget) Acquire(ctx context.Context, n int64) error {
	if b == nil {
		return ctx.Err()
	}
	if n < 0 || n > b.maxBytes {
		return fmt.Errorf("%w: %d bytes wanted, %d in all", ErrOverBudget, n, b.maxBytes)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	place, c := b.reserveOrQueue(n)
	if place == nil {
		return nil
	}
	select {
	case <-c.granted:
		return nil
	case <-ctx.Done():
		b.withdraw(place, c)
		return ctx.Err()
	}
}

// TryAcquire reserves n bytes if they are free and nobody waits. It never waits itself.
func (b *Budget) TryAcquire(n int64) bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return n >= 0 && b.reserve(n)
}

// reserve reserves n bytes if they are free and nobody waits. The caller holds b.mu.
func (b *Budget) reserve(n int64) bool {
	isFree := b.queue.Len() == 0 && n <= b.maxBytes-b.inUseBytes
	if isFree {
		b.inUseBytes += n
	}
	return isFree
}

// reserveOrQueue reserves n bytes if they are free and the queue is empty. Otherwise it queues a
// waiter and returns its queue element.
func (b *Budget) reserveOrQueue(n int64) (place *list.Element, c *waiter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reserve(n) {
		return nil, nil
	}
	c = &waiter{bytes: n, granted: make(chan struct{})}
	return b.queue.PushBack(c), c
}

// withdraw removes a waiter whose context has ended.
func (b *Budget) withdraw(place *list.Element, c *waiter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-c.granted: // granted between the end of the context and this lock
		b.inUseBytes -= c.bytes
	default:
		b.queue.Remove(place)
	}
	b.grant() // waiters behind a large one that left may fit now
}

// Release returns n bytes to the budget. It panics if fewer are in use, since a budget that grows
// bounds nothing.
func (b *Budget) Release(n int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if n < 0 || n > b.inUseBytes {
		panic(fmt.Sprintf("cache: %d bytes released, %d in use", n, b.inUseBytes))
	}
	b.inUseBytes -= n
	b.grant()
}

// grant serves waiters from the head of the queue as long as their bytes fit. The caller holds
// b.mu.
func (b *Budget) grant() {
	for front := b.queue.Front(); front != nil; front = b.queue.Front() {
		c := front.Value.(*waiter)
		if c.bytes > b.maxBytes-b.inUseBytes {
			return
		}
		b.queue.Remove(front)
		b.inUseBytes += c.bytes
		close(c.granted)
	}
}

// InUse returns the number of bytes in use.
func (b *Budget) InUse() int64 {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inUseBytes
}

// NextBytes returns how many bytes the request at the head of the queue waits for, or zero if nobody
// waits.
func (b *Budget) NextBytes() int64 {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.queue.Len() == 0 {
		return 0
	}
	return b.queue.Front().Value.(*waiter).bytes
}

// Max returns the size of the budget in bytes, or zero for a nil Budget, which has no bound.
func (b *Budget) Max() int64 {
	if b == nil {
		return 0
	}
	return b.maxBytes
}
