package tiff

import (
	"math"

	"tileserver/decode"
)

// Config is what Open needs beside the file.
type Config struct {
	Pool *decode.Pool

	// Key is the identity and version of the dataset, with which the keys of
	// its images begin. It must not be shared by files with other pixels. Empty,
	// it is made of the name and the version of the source.
	Key string

	// BatchBytes is about how much Blocks holds in flight at a time, compressed
	// and decoded; a request for more is done in parts. 0 is 64 MiB.
	BatchBytes int64

	Limits Limits
}

// Limits bound what a file may make us do before anything is known to be true
// of it. A zero field stands for its default.
type Limits struct {
	Directories int   // in the file, those of masks and overviews too
	Entries     int   // in a directory
	ValueBytes  int64 // of one tag that is read when the file is opened
	HeaderBytes int64 // read, all in all, when the file is opened
	IndexBytes  int64 // of a directory's offsets and sizes of blocks, as stored
	Side        int   // pixels of an image's width or height
	Samples     int   // of a pixel
	BlockBytes  int64 // of a block, decoded
}

// DefaultLimits are wide enough for every file that is meant to be read: the
// most blocks are those of a 20-million-pixel side in 512-pixel tiles, the
// largest block is a scene of 18,000 x 18,000 RGB pixels in one strip.
func DefaultLimits() Limits {
	return Limits{
		Directories: 1 << 14,
		Entries:     1 << 12,
		ValueBytes:  16 << 20,
		HeaderBytes: 256 << 20,
		IndexBytes:  1 << 30,
		Side:        math.MaxInt32,
		Samples:     1 << 12,
		BlockBytes:  1 << 30,
	}
}

const defaultBatchBytes = 64 << 20

func (c Config) withDefaults() Config {
	d := DefaultLimits()
	orDefault(&c.Limits.Directories, d.Directories)
	orDefault(&c.Limits.Entries, d.Entries)
	orDefault(&c.Limits.ValueBytes, d.ValueBytes)
	orDefault(&c.Limits.HeaderBytes, d.HeaderBytes)
	orDefault(&c.Limits.IndexBytes, d.IndexBytes)
	orDefault(&c.Limits.Side, d.Side)
	orDefault(&c.Limits.Samples, d.Samples)
	orDefault(&c.Limits.BlockBytes, d.BlockBytes)
	orDefault(&c.BatchBytes, int64(defaultBatchBytes))
	return c
}

func orDefault[T int | int64](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}
