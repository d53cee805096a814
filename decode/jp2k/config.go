package jp2k

import (
	"context"

	"tileserver/decode/georeference"
	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/pool"
	"tileserver/source"
)

// Config holds what Open needs beside the file.
type Config struct {
	Pool *pool.Pool

	// Key identifies the dataset and its version. The keys of its images begin with it. Files with
	// different pixels must have different keys. If it is empty, Open derives it from the name and
	// the version of the source.
	Key string

	// Shared holds the caches that open files share. If it is nil, the file has small caches of its
	// own.
	Shared *Shared

	// Store stores results that are expensive to compute, across restarts. Nil stores nothing.
	Store Store

	// Beside opens a side file by its name, in the folder of the file. It fails with fs.ErrNotExist
	// if there is none. Nil means that there are no side files.
	Beside func(ctx context.Context, name string) (source.Source, error)

	// GeoTIFF reads the georeference of a GeoTIFF, which is the content of a GeoJP2 box. If it is
	// nil, GeoJP2 is ignored.
	GeoTIFF func(ctx context.Context, src source.Source) (georeference.Georeference, error)

	// Layers is the maximum number of quality layers to decode; 0 means all.
	Layers int

	// Warn is called for damage that is found while reading pixels, once for each kind. It may be
	// nil.
	Warn func(note string)

	// BatchBytes is roughly the maximum memory that Blocks uses at a time. Larger requests are
	// split. 0 means 64 MiB.
	BatchBytes int64

	Limits Limits
}

// Store stores values across restarts. It may lose any value.
type Store interface {
	Get(key string) ([]byte, bool)
	Put(key string, value []byte) error
}

// Limits limit what a file may cost before it is known to be sound. A zero field means its default.
type Limits struct {
	Boxes      boxes.Limits
	Codestream codestream.Limits
	Packets    packets.Limits

	// Side limits the width and the height of an image in pixels. 0 means 2^31-1.
	Side int
}

const (
	defaultBatchBytes = 64 << 20
	defaultSide       = 1<<31 - 1
	maxLayers         = 1<<16 - 1 // maximum of the standard
)

// The sizes of the caches of a file without Shared.
const (
	ownBytes      = 24 << 20
	ownIndexBytes = 8 << 20
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
	orDefault(&c.Limits.Side, defaultSide)
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
