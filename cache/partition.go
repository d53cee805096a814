package cache

// NewPartition returns an empty Cache of maxBytes that also counts toward the budget of parent.
// Values in the partition are evicted only for each other. Values of parent are evicted for both.
// So small values that are costly to load survive any number of other values. Bytes that the
// partition does not use are available to parent. All partitions together must be smaller than
// parent. The Stats of parent include the partition. A nil parent returns nil.
func NewPartition(parent *Cache, maxBytes int64) *Cache {
	if parent == nil {
		return nil
	}
	return &Cache{parent: parent, maxBytes: min(maxBytes, parent.maxBytes)}
}

// grow adds to the bytes in use; a negative number subtracts.
func (c *Cache) grow(bytes int64) {
	c.usedBytes.Add(bytes)
	if c.parent != nil {
		c.parent.grow(bytes)
	}
}

// enlist adds a space to the Stats of c and of its parents.
func (c *Cache) enlist(space interface{ stats() SpaceStats }) {
	c.mu.Lock()
	c.spaces = append(c.spaces, space)
	c.mu.Unlock()
	if c.parent != nil {
		c.parent.enlist(space)
	}
}
