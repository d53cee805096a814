package tiff

import (
	"context"
	"math"
	"sync"

	"tileserver/decode"
	"tileserver/source"
)

// Config is what Open needs beside the file.
type Config struct {
	Pool *decode.Pool

	// Key is the identity and version of the dataset, with which the keys of
	// its images begin. It must not be shared by files with other pixels. Empty,
	// it is made of the name and the version of the source.
	Key string

	// Shared is what open files keep together. Nil, the file keeps what it needs by
	// itself, and little.
	Shared *Shared

	// BatchBytes is about how much Blocks holds in flight at a time, compressed
	// and decoded; a request for more is done in parts. 0 is 64 MiB.
	BatchBytes int64

	// Beside opens what lies in the same place as the file under another name, or
	// fails with fs.ErrNotExist. Without it there is nothing beside the file.
	Beside func(ctx context.Context, name string) (source.Source, error)

	// Warn is told of the first block that turns out to be lost, and of no other.
	Warn func(note string)

	Limits Limits
}

// Limits bound what a file may make us do before anything is known to be true
// of it. A zero field stands for its default.
type Limits struct {
	Directories int   // in the file, those of masks and overviews too
	Entries     int   // in a directory
	ValueBytes  int64 // of one tag that is read when the file is opened
	MemoryBytes int64 // taken by all directories and their values, each time that they are named
	HeaderBytes int64 // read, all in all, when the file is opened
	IndexBytes  int64 // of a directory's offsets and sizes of blocks, together, as stored
	SideBytes   int64 // of a side file that is text
	Side        int   // pixels of an image's width or height
	Samples     int   // of a pixel

	// MetadataBytes bounds the XML in the tags of all images together. What is over
	// it is not read.
	MetadataBytes int64

	StoredBytes int64 // of a block in the file; those of a mask's blocks over it are added

	// BlockBytes bounds what it takes to read a block: as stored, decompressed,
	// and as pixels. An image with larger blocks opens and is unsupported. The
	// default is what the pool can reserve, where it has a bound.
	BlockBytes int64
}

// DefaultLimits are wide for the files that people make, and narrow enough that
// what they let through can be read: the blocks of an image are at most some
// 270 million (8 million pixels a side in tiles of 512), and a block as stored is
// less than a source reads in one call. A block of 512 MiB may be a scene of
// 9,000 x 9,000 RGB pixels in one strip.
func DefaultLimits() Limits {
	return Limits{
		Directories: 1 << 14,
		Entries:     1 << 12,
		ValueBytes:  16 << 20,
		MemoryBytes: 56 << 20,
		HeaderBytes: 256 << 20,
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

// ownBytes is what a file keeps that shares nothing with others.
const ownBytes = 8 << 20

// shared is what the file keeps, made when it is wanted.
func (c Config) shared() func() *Shared {
	return sync.OnceValue(func() *Shared {
		if c.Shared != nil {
			return c.Shared
		}
		return NewShared(ownBytes)
	})
}

func (c Config) withDefaults() Config {
	d := DefaultLimits()
	if most := c.Pool.MaxReserve(); most > 0 {
		d.BlockBytes = most
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
	orDefault(&c.BatchBytes, int64(defaultBatchBytes))
	return c
}

func orDefault[T int | int64](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}
