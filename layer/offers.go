package layer

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"tileserver/identifier"
	"tileserver/layer/listing"
)

// Offered is a layer whose file is not open. Lists have it, and it is opened when a request names it. A server
// of a million files cannot keep all of them open.
type Offered struct{ ID, Title string }

// Offers is the layers that are offered.
type Offers struct {
	Layers   []Offered              // in this order, behind those that are served
	ConfigOf func(id string) Config // the configuration of one of them
	Written  any                    // what the configurations are made from; if it changes, open ones are closed
}

// offers is what is offered from one change to the next.
type offers struct {
	Offers
	index map[string]int  // in Layers, by id
	texts func() []string // that searches match, of each layer
}

// newOffers returns offers whose ids are valid, each once.
func newOffers(o Offers) (*offers, error) {
	made := &offers{Offers: o, index: make(map[string]int, len(o.Layers))}
	for i, l := range o.Layers {
		_, exists := made.index[l.ID]
		if exists || !identifier.IsValid(l.ID) {
			return nil, fmt.Errorf("duplicate or invalid layer id %q", l.ID)
		}
		made.index[l.ID] = i
	}
	made.texts = sync.OnceValue(func() []string {
		texts := make([]string, len(o.Layers))
		for i, l := range o.Layers {
			texts[i] = listing.SearchText(l.ID, l.Title)
		}
		return texts
	})
	return made, nil
}

func (o *offers) has(id string) bool {
	_, ok := o.index[id]
	return ok
}

// selected returns the layers that a search finds. Whether they lie on the earth is not known before they are
// opened. Most rasters in buckets do.
func (o *offers) selected(s listing.Selection) []Offered {
	switch {
	case s.Placement == listing.Unplaced:
		return nil
	case len(s.Words) == 0:
		return o.Layers
	}
	hasWords := s.Matcher()
	var found []Offered
	for i, text := range o.texts() {
		if hasWords(text) {
			found = append(found, o.Layers[i])
		}
	}
	return found
}

// after returns the index of the first of some layers that comes after an id.
func (o *offers) after(found []Offered, id string) int {
	first, _ := slices.BinarySearchFunc(found, o.index[id]+1, func(l Offered, next int) int { return cmp.Compare(o.index[l.ID], next) })
	return first
}

// Offer replaces the layers that are offered. Those that are open stay open if they are still offered as they were.
func (c *Catalog) Offer(o Offers) error {
	next, err := newOffers(o)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	previous := c.offered.Swap(next)
	isSame := reflect.DeepEqual(previous.Written, next.Written)
	isOutdated := func(id string) bool { return previous.has(id) && !(isSame && next.has(id)) }
	for _, l := range c.visits.drop(isOutdated) {
		c.retire(l)
	}
	c.lastChange.record()
	return nil
}

// Offered returns how many layers are offered.
func (c *Catalog) Offered() int { return len(c.offered.Load().Layers) }

// maxOpenings is how many offered layers are opened at a time for one request.
const maxOpenings = 8

// openAllOffered returns those of some offered layers that can be opened.
func (c *Catalog) openAllOffered(ctx context.Context, offered *offers, list []Offered) ([]*Layer, error) {
	opened := make([]*Layer, len(list))
	var running sync.WaitGroup
	next := make(chan int, len(list))
	for i := range list {
		next <- i
	}
	close(next)
	for range min(len(list), maxOpenings) {
		running.Go(func() {
			for i := range next {
				opened[i], _ = c.openOffered(ctx, offered, list[i].ID) // who asks for the layer learns why it fails
			}
		})
	}
	running.Wait()
	return slices.DeleteFunc(opened, func(l *Layer) bool { return l == nil }), context.Cause(ctx)
}

// openOffered returns an offered layer, whose file it opens.
func (c *Catalog) openOffered(ctx context.Context, offered *offers, id string) (*Layer, error) {
	if open, ok := c.visits.find(id); ok {
		return open, nil
	}
	l, err := c.Visit(ctx, offered.ConfigOf(id))
	if err != nil {
		return nil, Classify(err)
	}
	return l, nil
}
