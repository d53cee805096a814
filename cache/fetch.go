package cache

import "context"

// maxJoins is how often a caller waits for loads of others before it loads a key itself, even beside another load of
// that key. After one failure it joins once more: of the many who waited for a batch that failed for a neighbor's
// sake, one loads and the others join. After two failures everybody loads at once, for in turns the last of n callers
// would wait for n loads that fail.
const maxJoins = 2

// fetch is one call of Space.Fetch under way.
type fetch[K comparable, V Sizer] struct {
	space  *Space[K, V]
	keys   []K
	values []V
	load   LoadFunc[K, V]
	own    *load[K, V] // takes the claims of this round, and begins in await; made at the first miss
	waits  []wait[K, V]
}

// wait says that values[at] will come from a place in a load, whose waiters this wait is one of.
type wait[K comparable, V Sizer] struct {
	at int
	place[K, V]
}

// look serves the key at an index, or else notes what to wait for.
func (f *fetch[K, V]) look(at int, mayJoin bool) {
	key := f.keys[at]
	shard := f.space.shard(key)
	value, found := shard.hit(key)
	if found {
		f.values[at] = value
		return
	}
	if f.own == nil {
		f.own = newLoad[K, V]()
	}
	value, place := shard.claim(key, f.own, mayJoin)
	if place.load == nil {
		f.values[at] = value
		return
	}
	f.waits = append(f.waits, wait[K, V]{at, place})
}

// await begins the own load, waits for all loads of this round and takes the values from them. It returns the indexes
// whose load failed for others, or the error of the own load or of ctx.
//
// The own load begins before any waiting. Otherwise A, which loads 1 and waits for 2, and B, which loads 2 and waits
// for 1, would wait for each other for ever.
func (f *fetch[K, V]) await(ctx context.Context) (failed []int, err error) {
	own, waits := f.own, f.waits
	f.own, f.waits = nil, nil
	defer f.leave(waits)
	if len(own.keys) > 0 {
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

// leave ends the caller's waits. The last to leave a load that is still running cancels it, and its keys are forgotten.
func (f *fetch[K, V]) leave(waits []wait[K, V]) {
	for _, w := range waits {
		if !w.load.leave() {
			continue
		}
		w.load.cancel()
		for _, key := range w.load.keys {
			f.space.shard(key).settle(key, w.load, nil)
		}
	}
}

// begin starts a load whose keys are claimed. If nobody wants it any more it ends at once; whoever has joined it
// meanwhile then loads for itself.
func (s *Space[K, V]) begin(ctx context.Context, l *load[K, V], load LoadFunc[K, V]) {
	if err := ctx.Err(); err != nil {
		s.publish(l, nil, err)
		return
	}
	var loadCtx context.Context
	loadCtx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go s.run(loadCtx, l, load)
}

// run loads and publishes, whatever load does: a load that is not published would hang its waiters for ever.
func (s *Space[K, V]) run(ctx context.Context, l *load[K, V], load LoadFunc[K, V]) {
	var entries []*entry[V]
	err := errLoadExited // stays if load ends this goroutine
	defer func() {
		l.cancel()
		s.publish(l, entries, err)
	}()
	entries, err = guard(func() ([]*entry[V], error) { return newEntries(ctx, l.keys, load) })
}

// publish keeps the values of a load, forgets its keys, and wakes its waiters: in this order, so that those who look
// after a failure find no load that has failed, and nobody returns before the budget holds again.
func (s *Space[K, V]) publish(l *load[K, V], entries []*entry[V], err error) {
	for i, key := range l.keys {
		var e *entry[V]
		if err == nil {
			e = entries[i]
		}
		s.shard(key).settle(key, l, e)
	}
	s.cache.shrink()
	l.finish(entries, err)
}
