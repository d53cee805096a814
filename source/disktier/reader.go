package disktier

import (
	"context"
	"maps"
	"slices"
	"sync"

	"tileserver/source"
)

// reader reads an object through a Tier.
type reader struct {
	tier     *Tier
	object   source.Source
	identity func(ctx context.Context) (string, error)
	flights  flights

	mu      sync.Mutex // guards the fields below until they are set, once
	isKnown bool       // whether they are set
	isKept  bool       // whether the object has an identity
	id      objectID
}

func newReader(t *Tier, object source.Source, identity func(ctx context.Context) (string, error)) *reader {
	return &reader{tier: t, object: object, identity: identity, flights: flights{of: make(map[int64]*flight)}}
}

// readRanges implements source.Source.
func (r *reader) readRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := source.CheckBounds(ranges, r.object.Size()); err != nil {
		return nil, err
	}
	numbers, ok := touched(ranges)
	if ok {
		ok = r.identify(ctx)
	}
	if !ok {
		return r.object.ReadRanges(ctx, ranges)
	}
	blocks, err := r.blocks(ctx, numbers)
	if err != nil {
		return nil, err
	}
	parts := make([][]byte, len(ranges))
	for i, one := range ranges {
		parts[i] = part(one, blocks)
	}
	return parts, nil
}

// identify finds out what the blocks of the object belong to, and reports whether they are kept. If that
// cannot be told now, it is asked again.
func (r *reader) identify(ctx context.Context) (isKept bool) {
	r.mu.Lock()
	isKnown, isKept := r.isKnown, r.isKept
	r.mu.Unlock()
	if isKnown {
		return isKept
	}
	identity, err := r.identity(ctx)
	if err != nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.isKnown { // no other read was faster
		r.isKnown, r.isKept, r.id = true, identity != "", idOf(identity)
	}
	return r.isKept
}

// blocks returns blocks of the object, by their numbers.
func (r *reader) blocks(ctx context.Context, numbers []int64) (map[int64][]byte, error) {
	got := make(map[int64][]byte, len(numbers))
	for joins := 0; len(numbers) > 0; joins++ {
		own, others := r.flights.claim(numbers, joins < maxJoins)
		err := r.fly(ctx, own)
		if err != nil {
			return nil, err
		}
		maps.Copy(got, own.got)
		r.tier.counts.shared.Add(int64(len(others)))
		if numbers, err = await(ctx, others, got); err != nil {
			return nil, err
		}
		slices.Sort(numbers)
	}
	return got, nil
}

// fly gets the blocks of a flight, and lands it, even after a panic: those who wait for it would wait for
// ever.
func (r *reader) fly(ctx context.Context, own *flight) error {
	defer r.flights.land(own)
	missing := r.find(ctx, own.numbers, own.got)
	if len(missing) == 0 {
		return nil
	}
	return r.fetch(ctx, missing, own.got)
}

// lengthOf returns the length of a block.
func (r *reader) lengthOf(number int64) int64 {
	return run{number, number + 1}.within(r.object.Size()).Length
}

// fetch reads blocks of the object in one call, and lets them be written.
func (r *reader) fetch(ctx context.Context, numbers []int64, got map[int64][]byte) error {
	runs := joined(numbers)
	ranges := make([]source.Range, len(runs))
	for i, one := range runs {
		ranges[i] = one.within(r.object.Size())
	}
	parts, err := r.object.ReadRanges(ctx, ranges)
	if err != nil {
		return err
	}
	for i, one := range runs {
		one.divide(parts[i], got)
	}
	r.tier.counts.misses.Add(int64(len(numbers)))
	for _, number := range numbers {
		r.tier.queue.add(blockKey{r.id, number}, got[number])
	}
	return nil
}
