package cache

// NewWithin returns an empty Cache of maxBytes whose values take of the budget of parent as well. They give way to each
// other only, while those of parent give way to both: what is dear to load and small stays, however many other values
// pass by. What it does not use is parent's to use. All caches within a parent must be smaller than that together. It
// appears in the Stats of parent. Within a nil Cache there is nil.
func NewWithin(parent *Cache, maxBytes int64) *Cache {
	if parent == nil {
		return nil
	}
	return &Cache{parent: parent, maxBytes: min(maxBytes, parent.maxBytes)}
}

// grow accounts for bytes gained or lost.
func (c *Cache) grow(bytes int64) {
	c.usedBytes.Add(bytes)
	if c.parent != nil {
		c.parent.grow(bytes)
	}
}

// enlist makes the numbers of a space part of the Stats of c and of what c is within.
func (c *Cache) enlist(space interface{ stats() SpaceStats }) {
	c.mu.Lock()
	c.spaces = append(c.spaces, space)
	c.mu.Unlock()
	if c.parent != nil {
		c.parent.enlist(space)
	}
}
