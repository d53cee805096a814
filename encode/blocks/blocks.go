// Package blocks turns pixels into the stored bytes of blocks: it interleaves samples, takes their
// differences, and compresses them. It is the counterpart of decode/blocks. Packages that write files
// call it, such as encode/cog. It does no I/O, and must never know where bytes go or how a format
// writes down its layout. Equal pixels give equal bytes, whatever was encoded before.
package blocks

import (
	"errors"

	"tileserver/raster"
)

// ErrCoding is wrapped by every error about a Coding that does not fit a Shape.
var ErrCoding = errors.New("blocks cannot be encoded")

// Compression names a compression, in lower case, as `tileserver info` prints it.
type Compression string

// The compressions that blocks can have.
const (
	None    Compression = "none"
	LZW     Compression = "lzw"
	Deflate Compression = "deflate"
	ZSTD    Compression = "zstd"
	LERC    Compression = "lerc"
	JPEG    Compression = "jpeg"
	WebP    Compression = "webp"
)

// Predictor says which differences of samples are taken before compression.
type Predictor uint8

// The predictors, by their numbers in TIFF. BestPredictor stands for the best one that common readers
// support for the type.
const (
	BestPredictor       Predictor = 0
	NoPredictor         Predictor = 1
	HorizontalPredictor Predictor = 2
	FloatPredictor      Predictor = 3
)

// Coding says how blocks are compressed. The zero value stores them as they are.
type Coding struct {
	Compression Compression // empty for None
	Predictor   Predictor   // of LZW, Deflate and ZSTD

	// Effort is how hard Deflate (1 to 9) and ZSTD (1 to 22) try. 0 stands for 7 and 3. Deflate takes a
	// sixth of the time at 1, and yet makes smaller files of photographs than at 2 to 6.
	Effort int

	// Around is the second compression of LERC, Deflate or ZSTD at the Effort, or empty.
	Around Compression

	Quality  int  // of JPEG, and of WebP that is not lossless: 1 to 100, or 0 for 75
	Lossless bool // of WebP
}

// Shape is what all blocks of an image have in common. The samples of a pixel lie side by side.
type Shape struct {
	Width, Height int // of a stored block, in pixels
	Samples       int // of a pixel
	Type          raster.DataType
}

func (s *Shape) pixelBytes() int { return s.Samples * s.Type.Size() }
func (s *Shape) rowBytes() int   { return s.Width * s.pixelBytes() }
func (s *Shape) blockBytes() int { return s.Height * s.rowBytes() }

// Pixels are the pixels of one block, row by row in one plane for each sample, in the byte order of
// raster. The last blocks of an image may be narrower and lower than they are stored.
type Pixels struct {
	Width, Height int
	Planes        [][]byte
}
