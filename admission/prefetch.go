package admission

import (
	"context"
	"errors"
	"slices"
)

// ErrOutranked is why a prefetch is canceled: work needs the slot, for which somebody waits.
var ErrOutranked = errors.New("the prefetch gives way to work that somebody waits for")

// RunPrefetch calls do once the gate is idle, to load what nobody has asked for yet. It counts as dear. When
// other work needs the slot, the context of do is canceled, and RunPrefetch returns ErrOutranked.
func (g *Gate) RunPrefetch(ctx context.Context, w Work, do func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.Purpose = prefetch
	v := g.newVisit(w)
	v.cancel = cancel
	if err := g.await(ctx, v); err != nil {
		return err
	}
	defer g.leave(ctx, v)
	v.hasFailed = true // if do panics
	err := do(v.context(ctx))
	v.hasFailed = err != nil
	if err != nil && errors.Is(context.Cause(ctx), ErrOutranked) {
		return ErrOutranked
	}
	return err
}

// admitPrefetches lets in prefetches while the gate is idle, and cancels the last ones if it is not.
func (g *Gate) admitPrefetches() {
	for count := len(g.prefetches); count > 0 && !g.isIdleBut(count); count-- {
		g.prefetches[count-1].cancel(ErrOutranked)
		g.prefetches = g.prefetches[:count-1]
	}
	for g.isIdleBut(len(g.prefetches)+1) && !g.cached.isThere() {
		v := g.lanes[prefetches].next(readsSlow)
		if v == nil || !g.memory.fitsDear(v.Bytes) {
			return
		}
		g.letIn(v)
		g.prefetches = append(g.prefetches, v)
	}
}

// isIdleBut reports whether nothing waits, nothing is dear, and cheap answers leave slots for some prefetches.
func (g *Gate) isIdleBut(count int) bool {
	for i := range g.lanes[:prefetches] {
		if l := &g.lanes[i]; l.waiting > 0 || Lane(i) != Cheap && l.occupied > 0 {
			return false
		}
	}
	cheap := &g.lanes[Cheap]
	return cheap.counted()+count <= cheap.slots
}

// readsSlow reports whether a source of a visit is slow. Answers find out when it is not any more.
func readsSlow(v *visit) bool {
	return slices.ContainsFunc(v.sources, func(s *source) bool { return s.isSlow })
}

// forgetPrefetch removes a prefetch that leaves.
func (g *Gate) forgetPrefetch(v *visit) {
	g.prefetches = slices.DeleteFunc(g.prefetches, func(other *visit) bool { return other == v })
}
