package cache

// Stats are the numbers of a Cache at one time. The shards are read one after the other, so under load the sums may be
// apart by what happened meanwhile.
type Stats struct {
	MaxBytes  int64
	UsedBytes int64 // the Bytes of all spaces
	Spaces    []SpaceStats
}

// SpaceStats are the numbers of one Space. Entries and Bytes are of now, the others count since the start. Each key
// that a Fetch looks for counts once, as a hit, a miss or joined, and once more if it is looked for again because a
// load of somebody else failed.
type SpaceStats struct {
	Name      string
	Entries   int
	Bytes     int64 // of the values, with an overhead for each entry
	Hits      int64 // keys served from the cache
	Misses    int64 // keys that a load was begun for
	Joined    int64 // keys for which a load under way was waited for
	Evictions int64
	Rejected  int64 // values loaded and not kept, since each is over the whole budget
}

// Stats returns the numbers of now; the spaces are in the order in which they were made. Those of a nil Cache are zero.
func (c *Cache) Stats() Stats {
	if c == nil {
		return Stats{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	stats := Stats{MaxBytes: c.maxBytes, UsedBytes: c.usedBytes.Load()}
	for _, space := range c.spaces {
		stats.Spaces = append(stats.Spaces, space.stats())
	}
	return stats
}

func (s *Space[K, V]) stats() SpaceStats {
	sum := SpaceStats{Name: s.name}
	for i := range s.shards {
		s.shards[i].addTo(&sum)
	}
	return sum
}

func (s *shard[K, V]) addTo(sum *SpaceStats) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum.Entries += s.entries.Len()
	sum.Bytes += s.counts.bytes
	sum.Hits += s.counts.hits
	sum.Misses += s.counts.misses
	sum.Joined += s.counts.joined
	sum.Evictions += s.counts.evictions
	sum.Rejected += s.counts.rejected
}
