package pool

import (
	"context"
	"fmt"
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
