package cache

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrOverBudget says that work needs more bytes than its Budget has in all, so that waiting would not help.
var ErrOverBudget = errors.New("cache: over the budget")

// Budget bounds the bytes of the work under way: who wants to allocate takes bytes first and gives them back when done.
// It is first come, first served: small work does not overtake a big piece at the head of the queue, which would wait
// for ever otherwise. A nil Budget has no bound.
type Budget struct {
	maxBytes int64

	mu         sync.Mutex // guards what follows
	inUseBytes int64
	queue      list.List // of *claimant, the first come in front
}

// claimant waits for bytes. Who grants them takes it from the queue and closes granted, under the lock of the Budget.
type claimant struct {
	bytes   int64
	granted chan struct{}
}

// NewBudget returns a Budget of maxBytes.
func NewBudget(maxBytes int64) *Budget { return &Budget{maxBytes: maxBytes} }

// Acquire takes n bytes, waiting until they are there, or fails with the error of ctx. More than the whole budget is
// refused at once with ErrOverBudget; so is a number below zero, which is a product that has overflowed.
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
	place, c := b.enter(n)
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

// enter takes n bytes if nobody waits for others and they are there (no place), and queues up otherwise.
func (b *Budget) enter(n int64) (place *list.Element, c *claimant) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.queue.Len() == 0 && n <= b.maxBytes-b.inUseBytes {
		b.inUseBytes += n
		return nil, nil
	}
	c = &claimant{bytes: n, granted: make(chan struct{})}
	return b.queue.PushBack(c), c
}

// withdraw takes a claimant off that will not wait any longer.
func (b *Budget) withdraw(place *list.Element, c *claimant) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-c.granted: // between the end of the context and this lock
		b.inUseBytes -= c.bytes
	default:
		b.queue.Remove(place)
	}
	b.grant() // those behind a big claimant that left may fit
}

// Release gives n bytes back. It panics if they were never taken: a budget that grows bounds nothing.
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

// grant gives bytes to those in front as long as they fit. The caller holds b.mu.
func (b *Budget) grant() {
	for front := b.queue.Front(); front != nil; front = b.queue.Front() {
		c := front.Value.(*claimant)
		if c.bytes > b.maxBytes-b.inUseBytes {
			return
		}
		b.queue.Remove(front)
		b.inUseBytes += c.bytes
		close(c.granted)
	}
}

// InUse returns the number of bytes taken now.
func (b *Budget) InUse() int64 {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inUseBytes
}

// Max returns the number of bytes there are in all; zero for a nil Budget, which has no bound.
func (b *Budget) Max() int64 {
	if b == nil {
		return 0
	}
	return b.maxBytes
}
