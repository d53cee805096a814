package providers

import (
	"tileserver/cache"
	"tileserver/raster/blockcache"
)

// Caches hold the decoded and built blocks of all layers.
type Caches struct {
	blocks *blockcache.Space

	// overviews holds the coarsest built overviews. They are small, but building them decodes the
	// whole file. A separate space keeps other blocks from evicting them.
	overviews *blockcache.Space

	// requested holds those of nodata values that only requests name. Clients may ask for any number
	// of them, and must not evict those that all clients see.
	requested *blockcache.Space

	// intermediateBytes is the maximum size of cached intermediate blocks per block built,
	// overviewBytes that of overviews per layer, and requestedBytes that per nodata value.
	intermediateBytes, overviewBytes, requestedBytes int64
	isDisabled                                       bool // no memory: building in advance is useless
}

// Divisors of the cache size. Overviews may use half of it, and those of one layer half of that. The
// same holds for a quarter and those of a nodata value of requests. Blocks may use what overviews
// leave. Intermediate blocks, which are decoded or built on the way to another block, are cached if
// they take at most a sixteenth.
const (
	overviewShare     = 2
	layerShare        = 2 * overviewShare
	requestedShare    = 4
	valueShare        = 2 * requestedShare
	intermediateShare = 16
)

// NewCaches returns empty caches that share the memory of c.
func NewCaches(c *cache.Cache) *Caches {
	return &Caches{
		blocks:            blockcache.New(c),
		overviews:         blockcache.NewCoarse(cache.NewPartition(c, c.MaxBytes()/overviewShare)),
		requested:         blockcache.NewRequested(cache.NewPartition(c, c.MaxBytes()/requestedShare)),
		intermediateBytes: c.MaxBytes() / intermediateShare,
		overviewBytes:     c.MaxBytes() / layerShare,
		requestedBytes:    c.MaxBytes() / valueShare,
		isDisabled:        c.MaxBytes() <= 0,
	}
}
