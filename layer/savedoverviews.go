package layer

import (
	"time"

	"tileserver/cache/disk"
	"tileserver/pyramid/overview"
)

// savedOverviews returns where the overviews of a dataset are saved, or nil if they are not. Nothing
// is saved of a dataset whose content cannot be identified.
func savedOverviews(all *disk.Groups, d *Dataset) *disk.Group {
	if all == nil || d.Identity == "" {
		return nil
	}
	return all.Group(d.savedKey())
}

// savedOverviews returns what keeps the overviews of the version, or nil.
func (v *version) savedOverviews() overview.Saved {
	if v.saved == nil {
		return nil
	}
	return v.saved
}

// savedKey returns the key of what is saved of the dataset. What other versions of the program saved is in
// other groups, so that it goes when room is needed.
func (d *Dataset) savedKey() string {
	return overview.SavedVersion + ":" + d.Identity + ":" + d.Provider.Key()
}

// forgetSuperseded removes what is saved of a version that another one has replaced.
func (c *Catalog) forgetSuperseded(old, next *Dataset) {
	if old.Identity != "" && old.savedKey() != next.savedKey() {
		c.config.SavedOverviews.Group(old.savedKey()).Clear()
	}
}

// forgetDelay is how long what is saved of a removed layer stays: its disk may be mounted again.
const forgetDelay = time.Hour

// forgetRemoved removes what is saved of a removed layer, unless the layer comes back. If it is removed
// again after that, the delay begins anew. The caller holds the lock.
func (c *Catalog) forgetRemoved(l *Layer) {
	d := l.versions.Last().dataset
	if d.Identity == "" {
		return
	}
	id, key := l.ID(), d.savedKey() // keep no dataset open
	c.removedAt[key] = time.Now()
	time.AfterFunc(forgetDelay, func() {
		c.mu.Lock() // the layer comes back before that, or finds its group cleared and renews it
		defer c.mu.Unlock()
		if c.isForgotten(id, key) {
			c.config.SavedOverviews.Group(key).Clear()
		}
	})
}

// isForgotten reports, after a delay, whether what is saved under a key is of no layer. The caller holds
// the lock.
func (c *Catalog) isForgotten(id, key string) bool {
	if time.Since(c.removedAt[key]) < forgetDelay {
		return false // the layer was removed again meanwhile
	}
	delete(c.removedAt, key)
	l, ok := c.find(id)
	return !ok || l.versions.Last().dataset.savedKey() != key
}
