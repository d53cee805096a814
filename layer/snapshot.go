package layer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"tileserver/raster"
)

// served are the layers that requests find. It is never written: whoever has it goes on
// with it while others are served.
type snapshot struct {
	layers  []*Layer
	byID    map[string]*Layer
	index   map[string]int // in list, by id
	removed removedPositions
}

func newSnapshot(layers []*Layer) (*snapshot, error) {
	s := &snapshot{layers: slices.Clone(layers), byID: make(map[string]*Layer, len(layers)), index: make(map[string]int, len(layers))}
	for i, l := range layers {
		if _, taken := s.byID[l.ID()]; taken {
			return nil, fmt.Errorf("there are two layers %q", l.ID())
		}
		s.byID[l.ID()], s.index[l.ID()] = l, i
	}
	return s, nil
}

// position returns the index of a layer, or of the one that a removed layer came after: -1 for the
// beginning. ok is false for an id that nothing is remembered of. The loop ends, since each step
// leads to a layer that was served when the one before it was removed.
func (s *snapshot) position(id string) (index int, ok bool) {
	for id != "" {
		if index, ok = s.index[id]; ok {
			return index, true
		}
		if id, ok = s.removed.predecessors[id]; !ok {
			return 0, false
		}
	}
	return -1, true
}

// goesOn tells whether a layer, or one of its lineage, is among them.
func (s *snapshot) hasGroupOf(l *Layer) bool {
	other := s.byID[l.ID()]
	return other != nil && other.group == l.group
}

// Open opens a layer that nobody finds yet: Serve is to be told of it.
func (c *Catalog) Open(ctx context.Context, config Config) (*Layer, error) {
	l, err := c.newLayer(config)
	if err != nil {
		return nil, err
	}
	l.versions.assignKey = func(d *Dataset) raster.Provider { return c.assignKey(config.ID, d) }
	if _, err := l.versions.reopen(ctx, nil); err != nil {
		return nil, fmt.Errorf("layer %q: %w", config.ID, err)
	}
	l.addSharedStyles()
	return l, nil
}

// Rebuild is a layer of the same id and dataset as another one, under another config. Nothing
// is opened for it, and what is kept of the other's pixels is kept of its own. Nobody finds it
// yet: Serve is to be told of it in place of the other.
func (c *Catalog) Rebuild(l *Layer, config Config) (*Layer, error) {
	if config.ID != l.ID() {
		return nil, fmt.Errorf("layer %q cannot become %q", l.ID(), config.ID)
	}
	next, err := c.newLayer(config)
	if err != nil {
		return nil, err
	}
	next.group = l.group
	if err := next.versions.takeOver(&l.versions); err != nil {
		return nil, fmt.Errorf("layer %q: %w", config.ID, err)
	}
	next.addSharedStyles()
	return next, nil
}

// Serve has requests find these layers, in this order, and no others, all at once. It changes
// nothing if two of them have one id. Of a layer that was served and is not among them,
// requests under way finish, but what is built for it in the background ends. Its dataset is
// not closed, for they may still read it: its files are closed when nobody holds them.
func (c *Catalog) Serve(layers []*Layer) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.serve(layers)
}

func (c *Catalog) serve(layers []*Layer) error {
	next, err := newSnapshot(layers)
	if err != nil {
		return err
	}
	previous := c.snapshot.Load()
	next.removed = previous.removed.update(previous, next)
	c.snapshot.Store(next)
	if slices.Equal(previous.layers, next.layers) {
		return nil
	}
	for _, l := range previous.layers {
		if !next.hasGroupOf(l) {
			c.retired.add(l.ID(), l.versions.keyRecord())
			c.overviews.stop(l.group)
		}
	}
	for _, l := range next.layers {
		l.group.wasServed = true
		if !previous.hasGroupOf(l) {
			c.overviews.resume(l.group)
		}
	}
	c.lastChange.record()
	return nil
}

// Add opens a layer and serves it after the others.
func (c *Catalog) Add(ctx context.Context, config Config) error {
	if _, taken := c.snapshot.Load().byID[config.ID]; taken {
		return fmt.Errorf("there are two layers %q", config.ID)
	}
	l, err := c.Open(ctx, config)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.serve(append(c.Layers(), l))
}

// Discard closes the datasets of layers that were opened and never served, as ones that Serve
// is not to be told of after all. Layers that go on with the dataset of one that was served
// leave it open.
func (c *Catalog) Discard(layers ...*Layer) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, l := range layers {
		if !l.group.wasServed {
			errs = append(errs, l.versions.active.Load().dataset.Close())
		}
	}
	return errors.Join(errs...)
}

// isServed tells whether requests that come now find a layer.
func (c *Catalog) isServed(l *Layer) bool { return c.snapshot.Load().byID[l.ID()] == l }

// admit is the provider of a dataset that is opened under an id, under a key that none of
// another content has had.
func (c *Catalog) assignKey(id string, d *Dataset) raster.Provider {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l, ok := c.snapshot.Load().byID[id]; ok {
		if record := l.versions.keyRecord(); record.key == d.Provider.Key() {
			return record.rekeyReturning(d, &c.keys)
		}
	}
	return c.retired.rekey(id, d, &c.keys)
}

// changes remembers when something changed last.
type changeTime struct{ nanoseconds atomic.Int64 } // as Unix nanoseconds

// note says that something has changed now. That is later than what changed before, whatever
// the clock says.
func (c *changeTime) record() {
	for {
		last := c.nanoseconds.Load()
		if c.nanoseconds.CompareAndSwap(last, max(time.Now().UnixNano(), last+1)) {
			return
		}
	}
}

// ChangedAt is when layers came or went, or one of them was given another config or turned
// out to have another version of its dataset. It never goes back.
func (c *Catalog) ChangedAt() time.Time { return time.Unix(0, c.lastChange.nanoseconds.Load()) }

// NoteChange has ChangedAt tell that answers are others from now on, though no layer has changed, as
// after the server was configured anew.
func (c *Catalog) NoteChange() { c.lastChange.record() }
