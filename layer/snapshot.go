package layer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"tileserver/layer/overviewbuild"
)

// A snapshot has the layers that requests find. It is immutable: a request may use an old one while
// the next is published.
type snapshot struct {
	layers  []*Layer
	byID    map[string]*Layer
	index   map[string]int // in layers, by id
	removed removedPositions
}

func newSnapshot(layers []*Layer) (*snapshot, error) {
	s := &snapshot{layers: slices.Clone(layers), byID: make(map[string]*Layer, len(layers)), index: make(map[string]int, len(layers))}
	for i, l := range layers {
		if _, exists := s.byID[l.ID()]; exists {
			return nil, fmt.Errorf("duplicate layer id %q", l.ID())
		}
		s.byID[l.ID()], s.index[l.ID()] = l, i
	}
	return s, nil
}

// position returns the index of a layer. For a removed one it returns the index of the layer that
// preceded it, or -1 for the beginning. ok is false if the position of the id is not recorded. The
// loop ends, since each step leads to a layer that was removed later than the one before.
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

// hasGroupOf reports whether the layer, or one rebuilt from it, is in the snapshot.
func (s *snapshot) hasGroupOf(l *Layer) bool {
	other := s.byID[l.ID()]
	return other != nil && other.group == l.group
}

// A rebuildGroup is shared by a layer and the layers rebuilt from it, which serve the same dataset.
type rebuildGroup struct {
	wasServed bool // whether a layer of the group was ever served; guarded by Catalog.mu
	overviews *overviewbuild.Group
}

func newRebuildGroup(layerID string) *rebuildGroup {
	return &rebuildGroup{overviews: overviewbuild.NewGroup(layerID)}
}

// Open opens a layer without publishing it; call Serve to do that.
func (c *Catalog) Open(ctx context.Context, config Config) (*Layer, error) {
	l, err := c.newLayer(config)
	if err != nil {
		return nil, err
	}
	if err := l.versions.Open(ctx); err != nil {
		return nil, fmt.Errorf("layer %q: %w", config.ID, err)
	}
	l.addSharedStyles()
	return l, nil
}

// Rebuild returns a layer of the same id and dataset as l, with a new configuration. It opens no
// file, and both share cached pixels. The layer is not published; call Serve to replace l by it.
func (c *Catalog) Rebuild(l *Layer, config Config) (*Layer, error) {
	if config.ID != l.ID() {
		return nil, fmt.Errorf("layer %q cannot be rebuilt under the id %q", l.ID(), config.ID)
	}
	next, err := c.newLayer(config)
	if err != nil {
		return nil, err
	}
	next.group = l.group
	v, err := next.newVersion(l.versions.Last().dataset)
	if err != nil {
		return nil, fmt.Errorf("layer %q: %w", config.ID, err)
	}
	next.versions.Continue(l.versions, v)
	next.addSharedStyles()
	return next, nil
}

// Serve publishes these layers, in this order, in place of all others. If two have the same id, it
// returns an error and changes nothing. Requests to removed layers finish, but background builds
// for them are canceled. Datasets of removed layers are not closed, since requests may still read
// them; the garbage collector closes their files.
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
			c.retired.Add(l.ID(), l.versions.Last().keyRecord())
			c.overviews.Stop(l.group.overviews)
		}
	}
	for _, l := range next.layers {
		l.group.wasServed = true
		if !previous.hasGroupOf(l) {
			c.overviews.Resume(l.group.overviews)
		}
	}
	c.lastChange.record()
	return nil
}

// Add opens a layer and serves it after the others.
func (c *Catalog) Add(ctx context.Context, config Config) error {
	if _, exists := c.snapshot.Load().byID[config.ID]; exists {
		return fmt.Errorf("duplicate layer id %q", config.ID)
	}
	l, err := c.Open(ctx, config)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.serve(append(c.Layers(), l))
}

// Discard closes the datasets of layers that were opened and never served. It leaves a dataset open
// if a layer that was served shares it.
func (c *Catalog) Discard(layers ...*Layer) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, l := range layers {
		if !l.group.wasServed {
			errs = append(errs, l.versions.Last().dataset.Close())
		}
	}
	return errors.Join(errs...)
}

// isServed reports whether requests find this layer under its id.
func (c *Catalog) isServed(l *Layer) bool { return c.snapshot.Load().byID[l.ID()] == l }
