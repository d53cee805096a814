package nitf

import (
	"context"

	"tileserver/decode/blocks"
	"tileserver/decode/container"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/nitf/segments"
	"tileserver/decode/pool"
	"tileserver/source"
)

// Config holds what Open needs beside the file.
type Config struct {
	Pool *pool.Pool

	// Codecs decodes the blocks. If it is nil, the file has all codecs to itself.
	Codecs blocks.Registry

	// Shared is what open files share. If it is nil, this file shares nothing.
	Shared *Shared

	// Key identifies the dataset and its version. The keys of its images begin with it. Files with
	// different pixels must have different keys.
	Key string

	// Beside opens a side file by its name, in the folder of the file. It fails with fs.ErrNotExist
	// if there is none. Nil means that there are no side files.
	Beside func(ctx context.Context, name string) (source.Source, error)

	// Warn is called for the first block that turns out to be lost. It may be nil.
	Warn func(note string)

	// BatchBytes is roughly the maximum memory that Blocks uses at a time. Larger requests are
	// split. 0 means 64 MiB.
	BatchBytes int64

	// BlockBytes bounds the memory for reading a block. An image with larger blocks opens but is
	// unsupported. 0 means what the pool can reserve.
	BlockBytes int64

	// Codestreams says how codestreams of JPEG 2000 are read: their Shared, Store and Layers.
	Codestreams components.Config

	Limits segments.Limits
}

const (
	defaultBatchBytes = 64 << 20
	defaultBlockBytes = 512 << 20
)

func (c Config) withDefaults() Config {
	if c.Codecs == nil {
		c.Codecs = blocks.AllCodecs()
	}
	if c.Shared == nil {
		c.Shared = NewShared(nil)
	}
	if c.BatchBytes <= 0 {
		c.BatchBytes = defaultBatchBytes
	}
	if c.BlockBytes <= 0 {
		c.BlockBytes = defaultBlockBytes
	}
	if limit := c.Pool.MaxReserve(); limit > 0 {
		c.BatchBytes, c.BlockBytes = min(c.BatchBytes, limit), min(c.BlockBytes, limit)
	}
	if c.Limits == (segments.Limits{}) {
		c.Limits = segments.DefaultLimits()
	}
	if c.Warn == nil {
		c.Warn = func(string) {}
	}
	c.Codestreams.Pool, c.Codestreams.Warn = c.Pool, c.Warn
	return c
}

// forFile returns c with the options of one file.
func (c Config) forFile(options container.Options) Config {
	c.Key, c.Beside, c.Warn = options.Key, options.Beside, options.Warn
	c.Codestreams.Layers, c.Codestreams.Store = options.QualityLayers, options.State
	return c
}
