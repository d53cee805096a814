package pool

import (
	"container/list"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"tileserver/admission"
)

// A dearPart is the part of a budget that dear work may use. Batches hold their bytes while they are
// read, so a storage that shares the part may use half of it: one that stalls must not keep all. A
// batch gets all its bytes at once, and holds none while it waits.
type dearPart struct {
	maxBytes int64

	mu       sync.Mutex // guards the fields below
	bytes    int64      // in use
	storages map[string]*usage
	queue    list.List // of *claim, in order of arrival
}

// usage is what batches of a storage use.
type usage struct {
	claims int // waiting and granted
	bytes  int64
	last   time.Time // when one ended
}

// claim is a batch that wants bytes, or has them.
type claim struct {
	storage *usage
	bytes   int64
	arrived time.Time
	granted chan struct{}
}

const (
	// sharedFor is how long a storage that is not read any more counts as one that shares the part.
	sharedFor = 10 * time.Minute

	// passableFor is how long a claim of more than half is passed by others that fit. A storage that
	// stalls is given up sooner unless its timeout is longer, and a claim that is passed for ever would
	// starve.
	passableFor = time.Minute
)

// newDearPart returns three quarters of a budget.
func newDearPart(of int64) *dearPart {
	return &dearPart{maxBytes: of - of/4, storages: make(map[string]*usage)}
}

// reserve waits for bytes for the work of a context if it is dear. One that needs more than there are
// gets all of them.
func (d *dearPart) reserve(ctx context.Context, n int64) (release func(), err error) {
	if d == nil || rankOf(ctx) == cheap {
		return func() {}, nil
	}
	queued, c := d.claim(admission.Storage(ctx), min(max(n, 0), d.maxBytes))
	select {
	case <-c.granted:
		return func() { d.release(c) }, nil
	case <-ctx.Done():
		d.withdraw(queued, c)
		return nil, ctx.Err()
	}
}

// claim queues a claim, and grants it if its bytes are free.
func (d *dearPart) claim(storage string, bytes int64) (*list.Element, *claim) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := &claim{d.usageOf(storage), bytes, time.Now(), make(chan struct{})}
	queued := d.queue.PushBack(c)
	d.grant()
	return queued, c
}

// usageOf returns the usage of a storage, with one claim more, and forgets storages that are no longer
// read. The caller holds d.mu.
func (d *dearPart) usageOf(storage string) *usage {
	maps.DeleteFunc(d.storages, func(_ string, u *usage) bool { return u.claims == 0 && time.Since(u.last) > sharedFor })
	u := d.storages[storage]
	if u == nil {
		u = new(usage)
		d.storages[storage] = u
	}
	u.claims++
	return u
}

// withdraw ends a claim whose context has ended.
func (d *dearPart) withdraw(queued *list.Element, c *claim) {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case <-c.granted: // between the end of the context and this lock
		d.use(c, -c.bytes)
	default:
		d.queue.Remove(queued)
	}
	d.end(c)
}

// release ends a claim that was granted.
func (d *dearPart) release(c *claim) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.use(c, -c.bytes)
	d.end(c)
}

// end forgets a claim, and grants those that may fit now. The caller holds d.mu.
func (d *dearPart) end(c *claim) {
	c.storage.claims--
	c.storage.last = time.Now()
	d.grant()
}

// use counts more bytes for a claim. The caller holds d.mu.
func (d *dearPart) use(c *claim, bytes int64) {
	d.bytes += bytes
	c.storage.bytes += bytes
}

// grant grants the claims whose turn it is. One that waits for its storage holds up only the claims
// of that storage. The caller holds d.mu.
func (d *dearPart) grant() {
	var heldUp []*usage
	for queued := d.queue.Front(); queued != nil; {
		c, here := queued.Value.(*claim), queued
		queued = queued.Next()
		switch {
		case slices.Contains(heldUp, c.storage):
		case d.fits(c):
			d.queue.Remove(here)
			d.use(c, c.bytes)
			close(c.granted)
		case d.isPassable(c):
		case d.waitsForStorage(c):
			heldUp = append(heldUp, c.storage)
		default:
			return
		}
	}
}

func (d *dearPart) fits(c *claim) bool {
	return c.bytes <= d.maxBytes-d.bytes && !d.waitsForStorage(c)
}

// half returns the bytes that a storage may use that shares the part.
func (d *dearPart) half() int64 { return d.maxBytes / 2 }

func (d *dearPart) isShared() bool { return len(d.storages) > 1 }

// waitsForStorage reports whether other batches of its storage leave a claim too little of the half.
// One of more than half gets it while there are none.
func (d *dearPart) waitsForStorage(c *claim) bool {
	return d.isShared() && c.storage.bytes > 0 && c.bytes > d.half()-c.storage.bytes
}

// isPassable reports whether a claim needs so much that it may have to wait for a storage that
// stalls. Others can do with the half that is left.
func (d *dearPart) isPassable(c *claim) bool {
	return d.isShared() && c.bytes > d.half() && time.Since(c.arrived) < passableFor
}
