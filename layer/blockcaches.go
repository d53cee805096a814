package layer

import (
	"tileserver/cache"
	"tileserver/pyramid"
)

// shelves are where the blocks of all layers are kept.
type blockCaches struct {
	blocks *pyramid.Blocks

	// lasting has the coarsest of the levels that files lack. They are small, and
	// all of a file was decoded to make them: what passes by must not drive them
	// out.
	overviews *pyramid.Blocks

	intermediateBytes, overviewBytes int64
	isDisabled                       bool // nothing is kept, so there is no use in making anything for later
}

// How much of the cache is for what: overviews that files lack may take half of
// it, those of one layer half of that. What they do not take is for all blocks. And
// what comes up on the way to other blocks is kept where it is little.
const (
	overviewShare     = 2
	layerShare        = 2 * overviewShare
	intermediateShare = 16
)

func newBlockCaches(c *cache.Cache) *blockCaches {
	return &blockCaches{
		blocks:            pyramid.NewBlocks(c),
		overviews:         pyramid.NewCoarseBlocks(cache.NewPartition(c, c.MaxBytes()/overviewShare)),
		intermediateBytes: c.MaxBytes() / intermediateShare,
		overviewBytes:     c.MaxBytes() / layerShare,
		isDisabled:        c.MaxBytes() <= 0,
	}
}
