package components

import (
	"context"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/pool"
)

// Config holds what Open needs beside the codestream.
type Config struct {
	Pool *pool.Pool

	// Key identifies the codestream and its version. The keys of its code-blocks and of stored
	// indexes begin with it. Codestreams with different samples must have different keys. If it is
	// empty, Open derives it from the name and the version of the source, and the range.
	Key string

	// Shared holds the caches that open codestreams share. If it is nil, the codestream has small
	// caches of its own.
	Shared *Shared

	// Store stores results that are expensive to compute, across restarts. Nil stores nothing.
	Store Store

	// Layers is the maximum number of quality layers to decode; 0 means all.
	Layers int

	// Warn is called for damage that is found while reading samples, once for each kind. It may be
	// nil.
	Warn func(note string)

	// BatchBytes is roughly the maximum memory that a request uses. Callers split larger ones. 0
	// means 64 MiB.
	BatchBytes int64

	Limits Limits
}

// Store stores values across restarts. It may lose any value.
type Store interface {
	Get(ctx context.Context, key string) ([]byte, bool)
	Put(ctx context.Context, key string, value []byte) error
}

// Limits limit what a codestream may cost before it is known to be sound. A zero field means its
// default.
type Limits struct {
	Codestream codestream.Limits
	Packets    packets.Limits
}

const (
	defaultBatchBytes = 64 << 20
	maxLayers         = 1<<16 - 1 // maximum of the standard
)

// The sizes of the caches of a codestream without Shared. An index is read again for each request if it does not
// fit in; this has room for 1.3 million code-blocks.
const (
	ownBytes      = 24 << 20
	ownIndexBytes = 16 << 20
)

func (c Config) withDefaults() Config {
	if c.BatchBytes <= 0 {
		c.BatchBytes = defaultBatchBytes
	}
	if limit := c.Pool.MaxReserve(); limit > 0 {
		c.BatchBytes = min(c.BatchBytes, limit)
	}
	defaults := packets.DefaultLimits()
	orDefault(&c.Limits.Packets.Blocks, defaults.Blocks)
	orDefault(&c.Limits.Packets.Precincts, defaults.Precincts)
	orDefault(&c.Limits.Packets.Packets, defaults.Packets)
	orDefault(&c.Limits.Packets.NoteBytes, defaults.NoteBytes)
	if c.Layers < 0 || c.Layers > maxLayers {
		c.Layers = 0
	}
	if c.Warn == nil {
		c.Warn = func(string) {}
	}
	return c
}

func orDefault(field *int, value int) {
	if *field <= 0 {
		*field = value
	}
}
