package http

import (
	"tileserver/cache"
	"tileserver/http/prefetch"
)

// collectPrefetch sends the counters of what is loaded before anybody asks for it: of tiles, and of their blocks
// in the spaces of the cache.
func collectPrefetch(to sink, s prefetch.Stats, c *cache.Stats) {
	gauge(to, "prefetch_viewers", "Viewers whose walks are remembered.", float64(s.Viewers))
	for outcome, n := range map[string]int64{"loaded": s.Loaded, "cached": s.Cached, "canceled": s.Canceled, "failed": s.Failed} {
		counterOf(to, "prefetch_tiles_total", "Tiles whose blocks were to be loaded before a viewer asks for them, by outcome.", n, "outcome", outcome)
	}
	gauge(to, "prefetch_max_bytes", "Budget of blocks that were prefetched and not used.", float64(c.MaxAheadBytes))
	for _, space := range c.Spaces {
		gauge(to, "prefetch_unused_bytes", "Bytes that were prefetched and not used, in a space of the cache.", float64(space.AheadBytes), space.Name)
		counter(to, "prefetch_loaded_total", "Blocks and other entries that were prefetched.", float64(space.AheadLoaded), space.Name)
		counter(to, "prefetch_used_total", "Prefetched entries that were asked for later.", float64(space.AheadUsed), space.Name)
		counter(to, "prefetch_wasted_total", "Prefetched entries that were evicted before anybody asked for them.", float64(space.AheadEvicted), space.Name)
	}
}
