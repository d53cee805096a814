// Package blocks turns the stored bytes of blocks into pixels. It has the layouts that samples are
// stored in, a codec for each compression, and the registry that finds it. The packages of formats
// that store blocks of samples call it, such as decode/tiff. It does no I/O and must never know where
// bytes come from, how a format writes down its layout, or what a map is.
//
// Words: a *job* is one block to decode. A *chroma block* is the group of pixels that share one Cb
// and one Cr sample. *Scratch* is memory that a codec needs only while it decodes a block.
package blocks

import "tileserver/raster"

// Compression names a codec, in lower case, as `tileserver info` prints it.
type Compression string

// The compressions that AllCodecs has codecs for.
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
	JPEG2000    Compression = "jpeg 2000"
)

// Job is one block to decode.
type Job struct {
	Layout *Layout
	Source []byte // as stored
	Rows   int    // stored in Source

	// Target receives the upper left part of the block. It may be narrower and lower than the
	// stored block. Its bands FirstBand, FirstBand+1, … receive the stored samples Samples[0],
	// Samples[1], ….
	Target    *raster.Buffer
	FirstBand int
	Samples   []int

	// Column is the block's column at which Target begins. OtherColumns lists further columns to
	// decode from the same block. Both need a layout for which HasColumns is true.
	Column       int
	OtherColumns []Columns

	// TakesParts says that the caller takes what is sound of a damaged block. A codec that can tell
	// decodes that and sets Lost. Otherwise a damaged block is an error.
	TakesParts bool
	IsCut      bool  // the file ends before the block does
	Lost       *Lost // nil if nothing is
}

// Codec decodes blocks. It is safe for concurrent use. A block that ends early or is damaged gives
// decode.ErrCorrupt, unless the job takes parts; whatever was decoded of it must not be used.
type Codec interface {
	Decode(job *Job) error
}

// Registry maps each compression to its codec. It is a plain value that the program fills when it
// starts; there is no global registry.
type Registry map[Compression]Codec
