package jp2k

import (
	"sync"
	"sync/atomic"

	"tileserver/cache"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
)

// Shared is what open files keep together, so that one number bounds it however many are
// open: decoded code-blocks, which the other values of the cache may drive out, and what
// is dear to find out again, which they may not.
type Shared struct {
	blocks    *cache.Space[blockKey, coefficients]
	parts     *cache.Space[partsKey, tileParts]
	tiles     *cache.Space[tileKey, *tile]
	precincts *cache.Space[precinctKey, *packets.Precinct]

	decoded atomic.Int64
	damaged atomic.Int64

	blockBenches, pieceBenches sync.Pool // memory of workers, between their pieces of work
}

// NewShared keeps code-blocks in c, and indexes of packets in at most so many of its bytes.
func NewShared(c *cache.Cache, indexBytes int64) *Shared {
	indexes := cache.NewWithin(c, indexBytes)
	return &Shared{
		blocks:    cache.NewSpace[blockKey, coefficients](c, "code-blocks"),
		parts:     cache.NewSpace[partsKey, tileParts](indexes, "tile-parts"),
		tiles:     cache.NewSpace[tileKey, *tile](indexes, "packet indexes"),
		precincts: cache.NewSpace[precinctKey, *packets.Precinct](indexes, "precincts"),
	}
}

// Stats counts what has been done for all files since the start.
type Stats struct {
	Decoded int64 // code-blocks, with those that were damaged
	Damaged int64
}

// Stats is a snapshot of the counters. What is kept is in the statistics of the cache.
func (s *Shared) Stats() Stats { return Stats{s.decoded.Load(), s.damaged.Load()} }

// tileParts is where the tile-parts of a file lie.
type tileParts struct{ *codestream.Parts }

// Size is the memory that they take.
func (p tileParts) Size() int64 { return p.Bytes() }
