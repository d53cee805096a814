package cache

import "context"

// maxJoins is how often a caller waits for loads of other callers before it loads a key itself,
// even beside another load of that key. After one failure it joins once more: if many callers
// waited for a batch that failed because of another key, one of them loads and the others join.
// After two failures all load at once. Otherwise the last of n callers could wait for n failing
// loads in turn.
const maxJoins = 2

// fetch is the state of one call of Space.Fetch.
type fetch[K comparable, V Sizer] struct {
	space  *Space[K, V]
	keys   []K
	values []V
	load   LoadFunc[K, V]

	isAhead bool // nobody has asked for the values yet

	own   *load[K, V] // collects the keys that this round claims; created by the first of them, started in await
	waits []wait[K, V]
}

// wait means that values[at] will come from a position in a load. Each wait counts as one waiter of
// that load.
type wait[K comparable, V Sizer] struct {
	at int
	position[K, V]
}

// lookup sets the value of the key at an index from the cache, or appends a wait.
func (f *fetch[K, V]) lookup(at int, mayJoin bool) {
	key := f.keys[at]
	value, place := f.space.shard(key).claim(key, &f.own, claimant{mayJoin, f.isAhead})
	if place.load == nil {
		f.values[at] = value
		return
	}
	f.waits = append(f.waits, wait[K, V]{at, place})
}

// await starts the caller's own load, waits for all loads of this round and copies their values. It
// returns the indexes whose load by another caller failed, or the error of its own load or of ctx.
//
// The own load starts before any waiting. Otherwise A, which loads 1 and waits for 2, would
// deadlock with B, which loads 2 and waits for 1.
func (f *fetch[K, V]) await(ctx context.Context) (failed []int, err error) {
	own, waits := f.own, f.waits
	f.own, f.waits = nil, nil
	defer f.leave(waits)
	if own != nil {
		f.space.begin(ctx, own, f.load)
		if err := own.wait(ctx); err != nil {
			return nil, err
		}
		if own.err != nil {
			return nil, own.err
		}
	}
	for _, w := range waits {
		if err := w.load.wait(ctx); err != nil {
			return nil, err
		}
		if w.load.err != nil {
			failed = append(failed, w.at)
			continue
		}
		f.values[w.at] = w.load.entries[w.index].value
	}
	return failed, nil
}

// leave ends the caller's waits. If it was the last waiter of a running load, it cancels the load
// and removes its keys.
func (f *fetch[K, V]) leave(waits []wait[K, V]) {
	for _, w := range waits {
		if !w.load.leave() {
			continue
		}
		w.load.cancel()
		for _, key := range w.load.keys {
			f.space.shard(key).complete(key, w.load, nil)
		}
	}
}

// begin starts a load whose keys are claimed. If ctx has already ended it publishes that error;
// callers that joined meanwhile load for themselves.
func (s *Space[K, V]) begin(ctx context.Context, l *load[K, V], load LoadFunc[K, V]) {
	if err := ctx.Err(); err != nil {
		s.publish(l, nil, err)
		return
	}
	var loadCtx context.Context
	loadCtx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go s.run(loadCtx, l, load)
}

// run loads and always publishes, even after a panic: an unpublished load would block its waiters
// forever.
func (s *Space[K, V]) run(ctx context.Context, l *load[K, V], load LoadFunc[K, V]) {
	var entries []*entry[K, V]
	err := errLoadExited // remains if load ends this goroutine
	defer func() {
		l.cancel()
		s.publish(l, entries, err)
	}()
	entries, err = guard(func() ([]*entry[K, V], error) { return newEntries(ctx, l.keys, load) })
}

// publish caches the values of a load, removes its keys, and wakes its waiters. The order matters:
// a caller that looks up a key after a failure must not find the failed load, and no caller may
// return before the cache is within its budget.
func (s *Space[K, V]) publish(l *load[K, V], entries []*entry[K, V], err error) {
	for i, key := range l.keys {
		var e *entry[K, V]
		if err == nil {
			e = entries[i]
		}
		s.shard(key).complete(key, l, e)
	}
	s.cache.shrink()
	l.finish(entries, err)
}
