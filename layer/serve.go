package layer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tileserver/layer/listing"
	"tileserver/layer/overviewbuild"
)

// hasGroupOf reports whether the layer, or one rebuilt from it, is in a list.
func hasGroupOf(l *Layer, list *listing.List[*Layer]) bool {
	other, ok := list.Find(l.ID())
	return ok && other.group == l.group
}

// A rebuildGroup is shared by a layer and the layers rebuilt from it, which serve the same dataset.
type rebuildGroup struct {
	wasServed bool // whether a layer of the group was ever served; guarded by Catalog.mu
	overviews *overviewbuild.Group
	rates     *rates
}

func newRebuildGroup(layerID string) *rebuildGroup {
	return &rebuildGroup{overviews: overviewbuild.NewGroup(layerID), rates: newRates()}
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
	previous := c.served.Load()
	next, err := listing.New(layers, previous)
	if err != nil {
		return err
	}
	c.served.Store(next)
	if slices.Equal(previous.Layers(), next.Layers()) {
		return nil
	}
	for _, l := range previous.Layers() {
		if !hasGroupOf(l, next) {
			c.retire(l)
		}
	}
	for _, l := range next.Layers() {
		l.group.wasServed = true
		if !hasGroupOf(l, previous) {
			c.overviews.Resume(l.group.overviews)
			l.versions.Last().saved.Renew()
		}
	}
	c.lastChange.record()
	return nil
}

// retire ends the background work of a layer that requests cannot name any more. The caller holds the lock.
func (c *Catalog) retire(l *Layer) {
	c.retired.Add(l.ID(), l.versions.Last().keyRecord())
	c.overviews.Stop(l.group.overviews)
	c.forgetRemoved(l)
}

// Add opens a layer and serves it after the others.
func (c *Catalog) Add(ctx context.Context, config Config) error {
	if _, exists := c.served.Load().Find(config.ID); exists {
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
func (c *Catalog) isServed(l *Layer) bool {
	named, _ := c.find(l.ID())
	return named == l
}
