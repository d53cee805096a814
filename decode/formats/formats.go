// Package formats lists the file formats that the program reads, with what their files share. The
// program and tools that open files call New. It owns the caches of the formats. It must never know
// what happens to an open file.
package formats

import (
	"tileserver/cache"
	"tileserver/decode/blocks"
	"tileserver/decode/container"
	"tileserver/decode/jp2k"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/nitf"
	"tileserver/decode/pool"
	"tileserver/decode/tiff"
)

// Config is what open files share.
type Config struct {
	Pool *pool.Pool

	// Cache holds data between decoding stages. If it is nil, each file caches a little itself.
	Cache *cache.Cache
}

// Formats is the registry of all formats.
type Formats struct {
	container.Registry
	CodeBlocks *components.Shared // of all JPEG 2000 files; nil if each file has its own
}

// New returns all formats. Their files are decoded in one pool.
func New(c Config) *Formats {
	codeBlocks := newCodeBlocks(c.Cache)
	codecs := blocks.AllCodecs()
	return &Formats{
		CodeBlocks: codeBlocks,
		Registry: container.Registry{
			tiff.Format(tiff.Config{Pool: c.Pool, Codecs: codecs, Shared: tiff.NewShared(IndexBytes), Codestreams: components.Config{Shared: codeBlocks}}),
			jp2k.Format(jp2k.Config{Config: components.Config{Pool: c.Pool, Shared: codeBlocks}, GeoTIFF: tiff.ReadGeoreference, RPC: tiff.ReadRPC}),
			nitf.Format(nitf.Config{Pool: c.Pool, Codecs: codecs, Shared: nitf.NewShared(c.Cache), Codestreams: components.Config{Shared: codeBlocks}}),
		},
	}
}

// IndexBytes bounds the block indexes of all open TIFF files together.
const IndexBytes = 32 << 20

// indexShare is the divisor of the cache size that gives the bytes for code-block indexes. The
// separate budget keeps pixels from evicting them.
const indexShare = 8

// newCodeBlocks returns the cache that all JPEG 2000 files share, or nil if each file has its own.
func newCodeBlocks(c *cache.Cache) *components.Shared {
	if c == nil {
		return nil
	}
	return components.NewShared(c, c.MaxBytes()/indexShare)
}
