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

	// intermediateBytes is the maximum size of cached intermediate blocks per block built, and
	// overviewBytes that of overviews per layer.
	intermediateBytes, overviewBytes int64
	isDisabled                       bool // no memory: building in advance is useless
}

// Divisors of the cache size. Overviews may use half of it, and those of one layer half of that.
// Blocks may use what overviews leave. Intermediate blocks, which are decoded or built on the way
// to another block, are cached if they take at most a sixteenth.
const (
	overviewShare     = 2
	layerShare        = 2 * overviewShare
	intermediateShare = 16
)

// NewCaches returns empty caches that share the memory of c.
func NewCaches(c *cache.Cache) *Caches {
	return &Caches{
		blocks:            blockcache.New(c),
		overviews:         blockcache.NewCoarse(cache.NewPartition(c, c.MaxBytes()/overviewShare)),
		intermediateBytes: c.MaxBytes() / intermediateShare,
		overviewBytes:     c.MaxBytes() / layerShare,
		isDisabled:        c.MaxBytes() <= 0,
	}
}
