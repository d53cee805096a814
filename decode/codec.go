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
	None     Compression = "none"
	PackBits Compression = "packbits"
	LZW      Compression = "lzw"
	Deflate  Compression = "deflate"
	ZSTD     Compression = "zstd"
	JPEG     Compression = "jpeg"
)

// Predictor says how samples were differenced before they were compressed.
type Predictor uint8

// The predictors of TIFF.
const (
	NoPredictor         Predictor = 1
	HorizontalPredictor Predictor = 2
	FloatPredictor      Predictor = 3
)

// Layout says how samples lie in the stored blocks of an image. It is shared by
// all jobs of an image's level and never written.
type Layout struct {
	Width     int // pixels in a stored row, those past the image's edge too
	Samples   int // samples a pixel in one stream: every band's if chunky, else 1
	Type      raster.DataType
	Bits      int // of a stored sample; at most those of Type
	BigEndian bool
	Predictor Predictor
	JPEG      JPEGLayout

	// LowBitFirst says that the bits of each stored byte are in reverse.
	LowBitFirst bool
}

// JPEGLayout is what a JPEG stream inside another file does not say itself.
type JPEGLayout struct {
	Tables []byte // the stream that holds the tables all blocks share, or nil
	YCbCr  bool   // three samples are YCbCr, and come out as RGB
}

// RowBytes is the size of a stored row, which ends on a whole byte.
func (l *Layout) RowBytes() int { return (l.Width*l.Samples*l.Bits + 7) / 8 }

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

// ErrCorrupt is what a damaged block gets.
var ErrCorrupt = errors.New("corrupt block")

// ErrUnsupported is what a block of a kind that no codec reads gets.
var ErrUnsupported = errors.New("unsupported")

// Registry finds the codec of a compression. It is a value: whoever builds the
// program fills it.
type Registry map[Compression]Codec
