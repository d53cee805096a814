package pool

import (
	"context"
	"fmt"
	"sync"

	"tileserver/admission"
	"tileserver/cache"
)

// Reserve waits for n bytes of the budget and returns a function that releases them. Call it before
// allocating, once for everything that a batch needs: two callers that each hold some bytes and
// wait for more can block each other.
//
// A dear caller first takes its bytes of the part that dear work may use, so that the rest is soon
// free for cheap ones. One that needs more than that part takes all of it.
func (p *Pool) Reserve(ctx context.Context, n int64) (release func(), err error) {
	if p.budget == nil {
		return func() {}, nil
	}
	releaseDear, err := p.dear.reserve(ctx, n)
	if err != nil {
		return nil, reservingError(n, err)
	}
	if err := p.budget.Acquire(ctx, n); err != nil {
		releaseDear()
		return nil, reservingError(n, err)
	}
	return func() { p.budget.Release(n); releaseDear() }, nil
}

func reservingError(n int64, err error) error {
	return fmt.Errorf("reserving %d bytes to decode into: %w", n, err)
}

// A dearPart is the part of a budget that dear work may use. Batches hold their bytes while they are
// read, so each storage may use half of it: one that stalls must not keep all.
type dearPart struct {
	bytes *cache.Budget

	mu       sync.Mutex               // guards storages
	storages map[string]*cache.Budget // halves, by name
}

// newDearPart returns three quarters of a budget.
func newDearPart(of int64) *dearPart {
	return &dearPart{bytes: cache.NewBudget(of - of/4), storages: make(map[string]*cache.Budget)}
}

// reserve reserves bytes for the work of a context if it is dear. If there are fewer in all, it reserves
// these.
func (d *dearPart) reserve(ctx context.Context, n int64) (release func(), err error) {
	var held []func()
	release = func() {
		for _, free := range held {
			free()
		}
	}
	for _, b := range d.budgetsOf(ctx) {
		bytes := min(n, b.Max())
		if err := b.Acquire(ctx, bytes); err != nil {
			release()
			return nil, err
		}
		held = append(held, func() { b.Release(bytes) })
	}
	return release, nil
}

// budgetsOf returns the budgets that bound the work of a context, in the same order for all work, so that
// none waits for another in a circle.
func (d *dearPart) budgetsOf(ctx context.Context) []*cache.Budget {
	if d == nil {
		return nil
	}
	halves := d.halvesOf(admission.Storages(ctx))
	if rankOf(ctx) == cheap {
		return nil
	}
	return append(halves, d.bytes)
}

// halvesOf returns the budgets of storages. It returns none while it knows only one storage, which need
// not leave anything for others.
func (d *dearPart) halvesOf(storages []string) (halves []*cache.Budget) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, name := range storages {
		if d.storages[name] == nil {
			d.storages[name] = cache.NewBudget(d.bytes.Max() / 2)
		}
		halves = append(halves, d.storages[name])
	}
	if len(d.storages) < 2 {
		return nil
	}
	return halves
}
