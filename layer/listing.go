package layer

import (
	"context"
	"slices"

	"tileserver/layer/listing"
)

// Page is a page of the list of layers: those that are served, and behind them those that are offered.
type Page struct {
	listing.Page[*Layer]
	Offered []Offered
}

// Last returns the id of the last layer of the page, or "" if it is empty.
func (p *Page) Last() string {
	switch {
	case len(p.Offered) > 0:
		return p.Offered[len(p.Offered)-1].ID
	case len(p.Layers) > 0:
		return p.Layers[len(p.Layers)-1].ID()
	}
	return ""
}

// IsLast reports whether no layer of the selection follows the page.
func (p *Page) IsLast() bool { return p.Offset+len(p.Layers)+len(p.Offered) >= p.Total }

// Page returns a page of a selection. A client that continues with Range.After sees each layer
// that remains exactly once, even if layers are added or removed between its requests.
func (c *Catalog) Page(s listing.Selection, r listing.Range) (Page, error) {
	offered := c.offered.Load()
	found := offered.selected(s)
	if offered.has(r.After) {
		return c.pageBehindServed(s, found, offered.after(found, r.After), r.Limit)
	}
	page, err := c.ServedPage(s, r)
	if err != nil {
		return Page{}, err
	}
	served := page.Total
	page.Total += len(found)
	first := 0
	if r.After == "" {
		first = min(max(r.Offset-served, 0), len(found))
		page.Offset += first
	}
	return Page{page, found[first : first+min(r.Limit-len(page.Layers), len(found)-first)]}, nil
}

// OpenedPage returns a page of layers whose files are open. Offered ones that a search finds are opened if they are at
// most a number; otherwise left is how many of them are not on any page.
func (c *Catalog) OpenedPage(ctx context.Context, s listing.Selection, r listing.Range, mostOffered int) (page listing.Page[*Layer], left int, err error) {
	offered := c.offered.Load()
	if found := len(offered.selected(s)); len(s.Words) == 0 || found > mostOffered {
		page, err = c.ServedPage(s, r)
		return page, found, err
	}
	all, err := c.Page(s, r)
	if err != nil {
		return page, 0, err
	}
	opened, err := c.openAllOffered(ctx, offered, all.Offered)
	page = all.Page
	page.Layers = slices.Concat(page.Layers, opened)
	page.Total -= len(all.Offered) - len(opened)
	return page, 0, err
}

// pageBehindServed returns a page of offered layers only, from the first on.
func (c *Catalog) pageBehindServed(s listing.Selection, found []Offered, first, limit int) (Page, error) {
	none, err := c.ServedPage(s, listing.Range{})
	if err != nil {
		return Page{}, err
	}
	none.Offset, none.Total = none.Total+first, none.Total+len(found)
	return Page{none, found[first : first+min(limit, len(found)-first)]}, nil
}

// ServedPage returns a page of the layers that are served.
func (c *Catalog) ServedPage(s listing.Selection, r listing.Range) (listing.Page[*Layer], error) {
	c.Refresh()
	page, ok := c.currentIndex().Page(s, r)
	if !ok {
		return page, unknownPosition(r.After)
	}
	for _, l := range page.Layers {
		_, _ = l.versions.Current() // records a change of the file
	}
	if c.ChangedAt().Equal(page.ChangedAt) {
		return page, nil
	}
	if page, ok = c.currentIndex().Page(s, r); !ok {
		return page, unknownPosition(r.After)
	}
	return page, nil
}

func unknownPosition(id string) error {
	return invalid("no layer %q to continue after; start again with the first page", id)
}

// StartLayerID returns the id of the layer that viewers should show first, or "" without layers.
func (c *Catalog) StartLayerID() string {
	if id := c.currentIndex().StartID(); id != "" {
		return id
	}
	if offered := c.offered.Load().Layers; len(offered) > 0 {
		return offered[0].ID
	}
	return ""
}

// currentIndex returns the index of the current layers. It is cached until something changes. Then
// one request makes the next one, and concurrent requests wait for it: choosing the start layer may
// read from files.
func (c *Catalog) currentIndex() *listing.Index[*Layer] {
	if cached := c.index.Load(); cached.IsCurrent(c.ChangedAt()) {
		return cached
	}
	c.indexMu.Lock()
	defer c.indexMu.Unlock()
	changedAt := c.ChangedAt() // read before the layers, to miss no change in between
	if cached := c.index.Load(); cached.IsCurrent(changedAt) {
		return cached
	}
	next := listing.NewIndex(c.served.Load(), changedAt, (*Layer).entry)
	c.index.Store(next)
	return next
}

// entry returns what the index knows about the layer. It does not describe the layer: finding the
// tile sets of thousands of layers would delay the first list.
func (l *Layer) entry() listing.Entry {
	last := l.versions.Last()
	return listing.Entry{Text: l.searchText, Image: last.providers.Pyramid.Provider(), IsPlaced: last.isPlaced()}
}
