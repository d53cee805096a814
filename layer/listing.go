package layer

import "tileserver/layer/listing"

// Page returns a page of a selection. A client that continues with Range.After sees each layer
// that remains exactly once, even if layers are added or removed between its requests.
func (c *Catalog) Page(s listing.Selection, r listing.Range) (listing.Page[*Layer], error) {
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
func (c *Catalog) StartLayerID() string { return c.currentIndex().StartID() }

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
