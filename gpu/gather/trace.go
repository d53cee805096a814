package gather

import (
	"context"
	"maps"
	"sync"
)

// A Trace tells where the offers of one work went.
type Trace struct {
	mu     sync.Mutex
	offers map[Outcome]int64
}

type traceKey struct{}

// Traced returns a context that notes its offers in the Trace.
func Traced(ctx context.Context) (context.Context, *Trace) {
	t := new(Trace)
	return context.WithValue(ctx, traceKey{}, t), t
}

// traceOf returns the Trace of a context, or nil.
func traceOf(ctx context.Context) *Trace {
	t, _ := ctx.Value(traceKey{}).(*Trace)
	return t
}

// Offers returns what became of the offers, or nil if there was none.
func (t *Trace) Offers() map[Outcome]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.offers)
}

// count counts an offer, if there is a Trace.
func (t *Trace) count(what Outcome) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.offers == nil {
		t.offers = make(map[Outcome]int64)
	}
	t.offers[what]++
}
