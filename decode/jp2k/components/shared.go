package components

import (
	"sync"
	"sync/atomic"

	"tileserver/cache"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
)

// Shared holds the caches of all open files, so that one budget limits them. Decoded code-blocks
// compete with the other values of the cache. Indexes are expensive to rebuild and have a budget of
// their own.
type Shared struct {
	blocks    *cache.Space[groupKey, coefficients]
	parts     *cache.Space[partsKey, tileParts]
	tiles     *cache.Space[tileKey, *tile]
	precincts *cache.Space[precinctKey, *packets.Precinct]
	read      bytesRead

	decoded atomic.Int64
	damaged atomic.Int64

	blockWorkspaces, windowWorkspaces sync.Pool // workers' scratch memory between jobs
}

// NewShared caches code-blocks in c, and packet indexes in at most indexBytes of it. Bytes that were read with indexes
// take as much.
func NewShared(c *cache.Cache, indexBytes int64) *Shared {
	indexes := cache.NewPartition(c, indexBytes)
	return &Shared{
		blocks:    cache.NewSpace[groupKey, coefficients](c, "code-blocks"),
		parts:     cache.NewSpace[partsKey, tileParts](indexes, "tile-parts"),
		tiles:     cache.NewSpace[tileKey, *tile](indexes, "packet indexes"),
		precincts: cache.NewSpace[precinctKey, *packets.Precinct](indexes, "precincts"),
		read:      newBytesRead(cache.NewPartition(c, indexBytes)),
	}
}

// Stats counts the work for all files since the start.
type Stats struct {
	Decoded int64 // number of code-blocks, including damaged ones
	Damaged int64
}

// Stats returns the counters. The statistics of the cache are separate.
func (s *Shared) Stats() Stats { return Stats{s.decoded.Load(), s.damaged.Load()} }

// tileParts locates the tile-parts of a file.
type tileParts struct{ *codestream.Parts }

// Size returns the memory of the tile-parts.
func (p tileParts) Size() int64 { return p.Bytes() }
