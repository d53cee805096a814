package pool

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"tileserver/admission"
)

// workers hands out the slots of a pool, one for each task that may run at a time. Tasks of cheap
// answers come first: while they wait, one slot in dearShare goes to dear work, so that it goes on, too.
type workers struct {
	count int

	mu      sync.Mutex // guards the fields below
	busy    int
	queues  [2][]*turn // by rank, in order of arrival
	overdue int        // slots that went to cheap work while dear work waited

	waiting [2]atomic.Int32 // lengths of queues
}

// dearShare is the divisor of the slots that dear work gets while cheap work waits.
const dearShare = 4

// A rank says whose tasks come first.
type rank int

const (
	cheap rank = iota
	dear
)

func rankOf(ctx context.Context) rank {
	if admission.IsDear(ctx) {
		return dear
	}
	return cheap
}

func (r rank) other() rank { return 1 - r }

// A turn is a call that waits for a slot.
type turn struct{ granted chan struct{} }

// try takes a slot if one is free. Whoever waits comes first.
func (w *workers) try() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy == w.count {
		return false
	}
	w.busy++
	return true
}

// wait waits for a slot.
func (w *workers) wait(ctx context.Context, r rank) error {
	if w.try() {
		return nil
	}
	w.mu.Lock()
	t := w.queue(r)
	if w.busy < w.count { // freed meanwhile
		w.busy++
		w.pass()
	}
	w.mu.Unlock()
	return w.await(ctx, t, r)
}

// yield gives a slot to others, if it is their turn, and waits for the next one. If it fails, the
// slot is gone.
func (w *workers) yield(ctx context.Context, r rank) error {
	w.mu.Lock()
	t := w.queue(r)
	w.pass()
	w.mu.Unlock()
	return w.await(ctx, t, r)
}

// queue adds a turn. The caller holds w.mu.
func (w *workers) queue(r rank) *turn {
	t := &turn{make(chan struct{})}
	w.queues[r] = append(w.queues[r], t)
	w.waiting[r].Add(1)
	return t
}

// await waits for a turn.
func (w *workers) await(ctx context.Context, t *turn, r rank) error {
	select {
	case <-t.granted:
		return nil
	case <-ctx.Done():
		w.withdraw(t, r)
		return context.Cause(ctx)
	}
}

// withdraw removes a turn whose context has ended.
func (w *workers) withdraw(t *turn, r rank) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at := slices.Index(w.queues[r], t); at >= 0 {
		w.queues[r] = slices.Delete(w.queues[r], at, at+1)
		w.waiting[r].Add(-1)
		return
	}
	w.pass() // it was granted between the end of the context and this lock
}

// free gives a slot back.
func (w *workers) free() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pass()
}

// pass gives a slot to the next turn. The caller holds w.mu.
func (w *workers) pass() {
	r := w.nextRank()
	if len(w.queues[r]) == 0 {
		w.busy--
		return
	}
	next := w.queues[r][0]
	w.queues[r] = w.queues[r][1:]
	w.waiting[r].Add(-1)
	close(next.granted)
}

// nextRank returns the rank whose turn it is.
func (w *workers) nextRank() rank {
	switch {
	case len(w.queues[dear]) == 0:
		return cheap
	case len(w.queues[cheap]) == 0:
		return dear
	}
	if w.overdue++; w.overdue == dearShare {
		w.overdue = 0
		return dear
	}
	return cheap
}

// mustYield reports whether the slot of a task that ends goes to the other rank. Tasks of one rank keep
// their slots until their batch is done.
func (w *workers) mustYield(r rank) bool { return w.waiting[r.other()].Load() > 0 }

func (w *workers) busyNow() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.busy
}
