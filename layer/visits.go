package layer

import (
	"context"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// DefaultMaxVisited is how many layers are open without being served, if nothing else is said.
const DefaultMaxVisited = 256

// visits holds layers that nobody configured, and that requests name by the address of a file. They are in no
// list. The one that was not asked for the longest is closed first.
type visits struct {
	most int // that are open

	mu      sync.Mutex // guards the fields below
	open    *simplelru.LRU[string, *Layer]
	opening map[string]*visit
}

// visit is a layer that is being opened. Once done is closed, layer and err are fixed.
type visit struct {
	done   chan struct{}
	layer  *Layer
	err    error
	cancel context.CancelFunc

	callers    int  // that wait; guarded by visits.mu
	isOutdated bool // whether it is opened as it was configured before; guarded by visits.mu
}

// newVisits returns visits of which so many layers may be open.
func newVisits(most int) *visits {
	v := &visits{most: most, opening: make(map[string]*visit)}
	v.open, _ = simplelru.NewLRU[string, *Layer](most+1, nil) // fails for no size only
	return v
}

// find returns the open layer of an id.
func (v *visits) find(id string) (*Layer, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.open.Get(id)
}

// all returns the open layers.
func (v *visits) all() []*Layer {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.open.Values()
}

// drop removes the open layers of the ids that are outdated, and returns them. Those that are being opened are not kept:
// whoever asks for one from now on opens it anew.
func (v *visits) drop(isOutdated func(id string) bool) (removed []*Layer) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for id, running := range v.opening {
		if isOutdated(id) {
			running.isOutdated = true
			delete(v.opening, id)
		}
	}
	for _, l := range v.open.Values() {
		if isOutdated(l.ID()) {
			v.open.Remove(l.ID())
			removed = append(removed, l)
		}
	}
	return removed
}

// join returns the visit of a layer for one caller more, or the layer if it is open. If the visit is new, open is
// called for it.
func (v *visits) join(ctx context.Context, id string, open func(context.Context, *visit)) (*visit, *Layer) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if open, ok := v.open.Get(id); ok {
		return nil, open
	}
	running, ok := v.opening[id]
	if !ok || running.callers == 0 { // all that waited have left
		detached, cancel := context.WithCancel(context.WithoutCancel(ctx))
		running = &visit{done: make(chan struct{}), cancel: cancel}
		v.opening[id] = running
		go open(detached, running)
	}
	running.callers++
	return running, nil
}

// leave takes a caller from a visit. What nobody waits for is canceled.
func (v *visits) leave(left *visit) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if left.callers--; left.callers == 0 {
		left.cancel()
	}
}

// end ends a visit. It returns the layer that had to make room, was opened twice, or is outdated; or nil.
func (v *visits) end(id string, ended *visit, opened *Layer, err error) (closed *Layer) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.opening[id] == ended {
		delete(v.opening, id)
	}
	ended.layer, ended.err = opened, err
	close(ended.done)
	switch {
	case err != nil:
		return nil
	case ended.isOutdated:
		return opened
	}
	if earlier, ok := v.open.Peek(id); ok {
		closed = earlier
	}
	v.open.Add(id, opened)
	if v.open.Len() > v.most {
		_, closed, _ = v.open.RemoveOldest()
	}
	return closed
}

// Visit returns the layer of a configuration, which is in no list. It opens the file if the layer is not open,
// once for all that ask at the same time.
func (c *Catalog) Visit(ctx context.Context, config Config) (*Layer, error) {
	if open, ok := c.visits.find(config.ID); ok {
		return open, nil
	}
	joined, open := c.visits.join(ctx, config.ID, func(ctx context.Context, own *visit) { c.openVisited(ctx, config, own) })
	if open != nil {
		return open, nil
	}
	defer c.visits.leave(joined)
	select {
	case <-joined.done:
		return joined.layer, joined.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// CloseVisited closes the layers that are in no list. The next request opens one as it is configured then.
func (c *Catalog) CloseVisited() {
	c.mu.Lock()
	defer c.mu.Unlock()
	offered := c.offered.Load()
	for _, l := range c.visits.drop(func(id string) bool { return !offered.has(id) }) {
		c.retire(l)
	}
}

// openVisited opens the layer of a visit.
func (c *Catalog) openVisited(ctx context.Context, config Config, own *visit) {
	opened, err := c.openSafely(ctx, config)
	closed := c.visits.end(config.ID, own, opened, err)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		opened.group.wasServed = true
		opened.versions.Last().saved.Renew()
	}
	if closed != nil {
		c.retire(closed)
	}
}

// openSafely opens a layer. A panic is an error, since no handler waits that would recover.
func (c *Catalog) openSafely(ctx context.Context, config Config) (opened *Layer, err error) {
	defer recoverTo(&err)
	return c.Open(ctx, config)
}

// find returns the layer of an id that requests can name.
func (c *Catalog) find(id string) (*Layer, bool) {
	if l, ok := c.served.Load().Find(id); ok {
		return l, true
	}
	return c.visits.find(id)
}
