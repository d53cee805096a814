package tiff

import (
	"context"
	"math"
	"sync"

	"tileserver/decode/blocks"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/pool"
	"tileserver/decode/tiff/ifd"
	"tileserver/source"
)

var (
	// ErrLimit marks a file that demands more than Limits allows.
	ErrLimit = ifd.ErrLimit

	// ErrCorrupt marks a file whose structure contradicts itself.
	ErrCorrupt = ifd.ErrCorrupt
)

// Config configures Open.
type Config struct {
	Pool *pool.Pool

	// Codecs decodes the blocks. If it is nil, the file has all codecs to itself.
	Codecs blocks.Registry

	// Key identifies the dataset and its version. The keys of its images begin with it. Files with
	// different pixels must not share a Key. The default is derived from the name and the version
	// of the source.
	Key string

	// Codestreams has the caches of codestreams that are read in parts. Each file's Pool and keys are
	// set when they are opened.
	Codestreams components.Config

	// Shared holds what open files share. If it is nil, the file has a small Shared of its own.
	Shared *Shared

	// BatchBytes is roughly how much memory Blocks has in flight at a time, compressed and decoded.
	// Larger requests are split into batches. The default is 64 MiB.
	BatchBytes int64

	// Beside opens a file with another name in the same folder, or fails with fs.ErrNotExist. If it
	// is nil, no side files are used.
	Beside func(ctx context.Context, name string) (source.Source, error)

	// Warn is called for the first block that turns out to be lost, and never again.
	Warn func(note string)

	Limits Limits
}

// Limits bounds what a file may make the process do while none of its claims are verified. A zero
// field stands for its default.
type Limits struct {
	Directories int   // in the file, including those of masks and overviews, and those that are skipped
	Entries     int   // in a directory
	ValueBytes  int64 // of one tag that is read at opening
	MemoryBytes int64 // of all directories and their values, counted each time a directory names them
	HeaderBytes int64 // read at opening, in total
	IndexBytes  int64 // of a directory's arrays of block offsets and sizes, together, as stored
	SideBytes   int64 // of a text side file
	Side        int   // pixels of an image's width or height
	Samples     int   // of a pixel

	// MetadataBytes bounds the XML in the tags of all images together. XML beyond it is skipped.
	MetadataBytes int64

	StoredBytes int64 // of a block in the file, including the mask blocks that cover it

	// BlockBytes bounds the memory for reading a block: as stored, decompressed, and as pixels. An
	// image with larger blocks opens but is unsupported. The default is the pool's maximum
	// reservation, if the pool has a bound.
	BlockBytes int64
}

// DefaultLimits returns limits that are wide enough for real files, yet everything that passes them
// can be read. An image has at most some 270 million blocks (8 million pixels a side in tiles of
// 512). A stored block is smaller than what a source reads in one call. A block of 512 MiB may be a
// scene of 9,000 x 9,000 RGB pixels in one strip.
func DefaultLimits() Limits {
	d := ifd.DefaultLimits()
	return Limits{
		Directories: d.Directories,
		Entries:     d.Entries,
		ValueBytes:  d.ValueBytes,
		MemoryBytes: 56 << 20,
		HeaderBytes: d.HeaderBytes,
		IndexBytes:  4 << 30,
		SideBytes:   8 << 20,
		Side:        math.MaxInt32,
		Samples:     1 << 12,
		StoredBytes: 240 << 20,
		BlockBytes:  512 << 20,

		MetadataBytes: 4 << 20,
	}
}

const defaultBatchBytes = 64 << 20

// defaultSharedBytes is the size of the Shared of a file that shares nothing with others.
const defaultSharedBytes = 8 << 20

// shared returns a function that returns the file's Shared and creates it on first use.
func (c Config) shared() func() *Shared {
	return sync.OnceValue(func() *Shared {
		if c.Shared != nil {
			return c.Shared
		}
		return NewShared(defaultSharedBytes)
	})
}

func (c Config) withDefaults() Config {
	if c.Codecs == nil {
		c.Codecs = blocks.AllCodecs()
	}
	d := DefaultLimits()
	orDefault(&c.BatchBytes, int64(defaultBatchBytes))
	if maxReserve := c.Pool.MaxReserve(); maxReserve > 0 {
		d.BlockBytes = maxReserve
		c.BatchBytes = min(c.BatchBytes, maxReserve)
	}
	orDefault(&c.Limits.Directories, d.Directories)
	orDefault(&c.Limits.Entries, d.Entries)
	orDefault(&c.Limits.ValueBytes, d.ValueBytes)
	orDefault(&c.Limits.MemoryBytes, d.MemoryBytes)
	orDefault(&c.Limits.HeaderBytes, d.HeaderBytes)
	orDefault(&c.Limits.IndexBytes, d.IndexBytes)
	orDefault(&c.Limits.SideBytes, d.SideBytes)
	orDefault(&c.Limits.MetadataBytes, d.MetadataBytes)
	orDefault(&c.Limits.Side, d.Side)
	orDefault(&c.Limits.Samples, d.Samples)
	orDefault(&c.Limits.StoredBytes, d.StoredBytes)
	orDefault(&c.Limits.BlockBytes, d.BlockBytes)
	return c
}

func orDefault[T int | int64](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}
