package layer

import (
	"tileserver/cache"
	"tileserver/pyramid"
)

// shelves are where the blocks of all layers are kept.
type shelves struct {
	blocks *pyramid.Blocks

	// lasting has the coarsest of the levels that files lack. They are small, and
	// all of a file was decoded to make them: what passes by must not drive them
	// out.
	lasting *pyramid.Blocks

	passingBytes, lastingBytes int64
	unbounded                  bool // nothing is kept, so there is no use in making anything for later
}

// How much of the cache is for what: overviews that files lack may take half of
// it, those of one layer half of that. What they do not take is for all blocks. And
// what comes up on the way to other blocks is kept where it is little.
const (
	lastingShare = 2
	layerShare   = 2 * lastingShare
	passingShare = 16
)

func newShelves(c *cache.Cache) *shelves {
	return &shelves{
		blocks:       pyramid.NewBlocks(c),
		lasting:      pyramid.NewLasting(cache.NewPartition(c, c.MaxBytes()/lastingShare)),
		passingBytes: c.MaxBytes() / passingShare,
		lastingBytes: c.MaxBytes() / layerShare,
		unbounded:    c.MaxBytes() <= 0,
	}
}
