package cache

// Stats is a snapshot of a Cache. Shards are read one after the other, so under load the sums may
// be slightly inconsistent.
type Stats struct {
	MaxBytes  int64
	UsedBytes int64 // sum over all spaces

	MaxAheadBytes int64 // of values that were loaded ahead and not used

	Spaces []SpaceStats
}

// SpaceStats is a snapshot of one Space. Entries and Bytes are current values, the others are
// counters since the start. Each key that a Fetch looks up counts once: as a hit, a miss or joined.
// It counts again if another caller's failed load causes a second lookup.
type SpaceStats struct {
	Name      string
	Entries   int
	Bytes     int64 // of the values, plus an overhead for each entry
	Hits      int64 // keys served from the cache
	Misses    int64 // keys for which a load was started
	Joined    int64 // keys for which the caller waited for a running load
	Evictions int64
	Rejected  int64 // values loaded but larger than the whole budget

	AheadBytes   int64 // of values that were loaded ahead and not used
	AheadLoaded  int64 // keys that were loaded ahead
	AheadUsed    int64 // of them, those that somebody asked for later
	AheadEvicted int64 // of them, those that were evicted before
}

// Stats returns a snapshot. The spaces are in order of creation. A nil Cache returns zeros.
func (c *Cache) Stats() Stats {
	if c == nil {
		return Stats{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	stats := Stats{MaxBytes: c.maxBytes, UsedBytes: c.usedBytes.Load(), MaxAheadBytes: c.maxAheadBytes}
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
	sum.Entries += len(s.entries)
	sum.Bytes += s.counts.bytes
	sum.Hits += s.counts.hits
	sum.Misses += s.counts.misses
	sum.Joined += s.counts.joined
	sum.Evictions += s.counts.evictions
	sum.Rejected += s.counts.rejected
	sum.AheadBytes += s.counts.aheadBytes
	sum.AheadLoaded += s.counts.aheadLoaded
	sum.AheadUsed += s.counts.aheadUsed
	sum.AheadEvicted += s.counts.aheadEvicted
}
