// Package decode turns the stored bytes of blocks into pixels: codecs, the
// registry that finds them, and the pool that runs them within bounds. It does
// no I/O and must never know where bytes come from or what a map is.
package decode

import (
	"context"
	"errors"

	"tileserver/gpu"
	"tileserver/raster"
)

// Compression names a codec, in lower case, as `tileserver info` prints it.
type Compression string

// The compressions that Default knows.
const (
	None        Compression = "none"
	PackBits    Compression = "packbits"
	LZW         Compression = "lzw"
	Deflate     Compression = "deflate"
	ZSTD        Compression = "zstd"
	LZMA        Compression = "lzma"
	LERC        Compression = "lerc"
	WebP        Compression = "webp"
	CCITTRLE    Compression = "ccitt rle"
	CCITTRLEW   Compression = "ccitt rle/w"
	CCITTFax3   Compression = "ccitt fax 3"
	CCITTFax4   Compression = "ccitt fax 4"
	NeXT        Compression = "next"
	ThunderScan Compression = "thunderscan"
	SGILog      Compression = "sgilog"
	OldJPEG     Compression = "old jpeg"
	JPEG        Compression = "jpeg"
)

// Job is one block to decode.
type Job struct {
	Layout *Layout
	Source []byte // as stored
	Rows   int    // stored in Source

	// Target takes the upper left part of the block: it may be narrower and
	// lower than what is stored. Its bands FirstBand, FirstBand+1, … take the
	// stored samples Samples[0], Samples[1], …
	Target    *raster.Buffer
	FirstBand int
	Samples   []int

	// Column is where in the block the pixels for Target begin, and Beside is other
	// columns that are wanted too. Both are for layouts that HasColumns.
	Column int
	Beside []Columns
}

// Codec decodes a block. It is safe for concurrent use. A block that ends early
// or is damaged is ErrCorrupt, whatever was decoded of it.
type Codec interface {
	Decode(job *Job) error
}

// BatchCodec is a Codec that can run many jobs on a device in one go. It
// returns one error a job; a job that failed is decoded again by Decode.
type BatchCodec interface {
	Codec
	DecodeBatch(ctx context.Context, device gpu.Executor, jobs []*Job) []error
}

// ErrCorrupt is what a damaged block gets. The block is lost for good, while other errors may be over the
// next time.
var ErrCorrupt = errors.New("corrupt block")

// ErrUnsupported is what a block of a kind that no codec reads gets.
var ErrUnsupported = errors.New("unsupported")

// Registry finds the codec of a compression. It is a value: whoever builds the
// program fills it.
type Registry map[Compression]Codec
