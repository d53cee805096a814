package pool

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"tileserver/admission"
)

// workers hands out the slots of a pool, one for each task that may run at a time. Tasks of cheap
// answers come first: while they wait, dear work gets one slot in turnsPerDear, so that it goes on, too.
// While many cached answers pass, it leaves one slot empty, for the core that these need.
type workers struct {
	count int

	mu     sync.Mutex // guards the fields below
	held   [2]int     // slots, by rank
	queues [2][]*turn // by rank, in order of arrival
	passed int        // how often dear work was passed by cheap work since its last turn

	waiting [2]atomic.Int32 // lengths of queues
}

// turnsPerDear is how many slots are given for each one that goes to dear work while cheap work waits.
const turnsPerDear = 4

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
type turn struct {
	ctx     context.Context // of the call
	granted chan struct{}
}

// most returns how many slots tasks of a rank may hold now.
func (w *workers) most(ctx context.Context, r rank) int {
	if r == dear && admission.MustLeaveCore(ctx) {
		return max(w.count-1, 1)
	}
	return w.count
}

// canHold reports whether a slot is free for a task. The caller holds w.mu.
func (w *workers) canHold(ctx context.Context, r rank) bool {
	return w.held[cheap]+w.held[dear] < w.count && w.held[r] < w.most(ctx, r)
}

// try takes a slot if one is free. Whoever waits comes first.
func (w *workers) try(ctx context.Context, r rank) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.canHold(ctx, r) {
		return false
	}
	w.held[r]++
	return true
}

// wait waits for a slot.
func (w *workers) wait(ctx context.Context, r rank) error {
	return w.waitUnless(ctx, r, nil)
}

// errUnneeded means that a caller no longer waits for a slot.
var errUnneeded = errors.New("no slot is needed")

// waitUnless waits for a slot. It fails with errUnneeded once the channel is closed.
func (w *workers) waitUnless(ctx context.Context, r rank, unneeded <-chan struct{}) error {
	if w.try(ctx, r) {
		return nil
	}
	w.mu.Lock()
	t := w.queue(ctx, r)
	w.grant() // one may be free by now
	w.mu.Unlock()
	return w.await(t, r, unneeded)
}

// yield gives a slot to others, if it is their turn, and waits for the next one. If it fails, the
// slot is gone.
func (w *workers) yield(ctx context.Context, r rank) error {
	w.mu.Lock()
	t := w.queue(ctx, r)
	w.pass(r)
	w.mu.Unlock()
	return w.await(t, r, nil)
}

// queue adds a turn. The caller holds w.mu.
func (w *workers) queue(ctx context.Context, r rank) *turn {
	t := &turn{ctx, make(chan struct{})}
	w.queues[r] = append(w.queues[r], t)
	w.waiting[r].Add(1)
	return t
}

// await waits for a turn, unless it is no longer needed.
func (w *workers) await(t *turn, r rank, unneeded <-chan struct{}) error {
	select {
	case <-t.granted:
		return nil
	case <-unneeded:
		w.withdraw(t, r)
		return errUnneeded
	case <-t.ctx.Done():
		w.withdraw(t, r)
		return context.Cause(t.ctx)
	}
}

// withdraw removes a turn that nobody waits for any more.
func (w *workers) withdraw(t *turn, r rank) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at := slices.Index(w.queues[r], t); at >= 0 {
		w.queues[r] = slices.Delete(w.queues[r], at, at+1)
		w.waiting[r].Add(-1)
		return
	}
	w.pass(r) // it was granted before this lock
}

// free gives a slot back.
func (w *workers) free(r rank) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pass(r)
}

// pass gives a slot of a rank to the next turn. The caller holds w.mu.
func (w *workers) pass(r rank) {
	w.held[r]--
	w.grant()
}

// grant gives the free slots to the next turns. The caller holds w.mu.
func (w *workers) grant() {
	for {
		r, ok := w.nextRank()
		if !ok {
			return
		}
		next := w.queues[r][0]
		w.queues[r] = w.queues[r][1:]
		w.waiting[r].Add(-1)
		w.held[r]++
		close(next.granted)
	}
}

// nextRank returns the rank whose turn it is to take a slot, if any can.
func (w *workers) nextRank() (r rank, ok bool) {
	switch isCheap, isDear := w.isTurnOf(cheap), w.isTurnOf(dear); {
	case !isDear:
		return cheap, isCheap
	case !isCheap:
		return dear, true
	}
	if w.passed == turnsPerDear-1 {
		w.passed = 0
		return dear, true
	}
	w.passed++
	return cheap, true
}

// isTurnOf reports whether a task of a rank waits for a slot that it can take.
func (w *workers) isTurnOf(r rank) bool {
	return len(w.queues[r]) > 0 && w.canHold(w.queues[r][0].ctx, r)
}

// mustYield reports whether the slot of a task that ends goes to the other rank, or stays empty. Tasks
// of one rank keep their slots until their batch is done. A slot that dear work left empty goes to the
// next turn once it may.
func (w *workers) mustYield(ctx context.Context, r rank) bool {
	if w.waiting[r.other()].Load() > 0 {
		return true
	}
	most := w.most(ctx, r)
	if most == w.count && w.waiting[r].Load() == 0 {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.grant()
	return w.held[r] > most
}

func (w *workers) busyNow() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.held[cheap] + w.held[dear]
}
