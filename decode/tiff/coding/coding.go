// Package coding says how the samples of a TIFF directory are coded in its blocks: from the tags to
// a blocks.Layout and the name of a codec. Package decode/tiff calls New for each directory. The
// package must never know where blocks are stored; the codecs of package blocks do the work.
package coding

import (
	"encoding/binary"
	"fmt"

	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/oldjpeg"
	"tileserver/decode/tiff/pixel"
	"tileserver/decode/tiff/tag"
	"tileserver/raster"
)

// Coding says how the samples are coded in the blocks.
type Coding struct {
	Compression Compression
	Codec       blocks.Compression // or empty if the compression is unknown
	Predictor   uint64             // 1 (none) if the compression ignores it
	Layout      blocks.Layout
	JPEGTables  []byte // shared by all blocks, as stored

	// Subsampled says that pixels share their chroma in blocks whose codec does not handle that
	// itself.
	Subsampled bool

	chroma  *blocks.Layout // of the second and third plane, if it differs from that of the first
	problem error          // why what the blocks lack cannot be read, or nil
}

// Image says of an image what its tags say apart from the coding.
type Image struct {
	Width   int // of a block
	Samples *pixel.Samples
	Colors  *pixel.Colors
}

// New reads the tags of a directory, and what they point to in its file.
func New(f *ifd.File, raw *ifd.Directory, of Image) Coding {
	c := Coding{Compression: Compression(raw.Uint(tag.Compression, 1)), Predictor: uint64(blocks.NoPredictor)}
	c.Codec, _ = c.Compression.codec()
	if c.Compression.usesPredictor() {
		c.Predictor = raw.Uint(tag.Predictor, c.Predictor)
	}
	if e := raw.Entry(tag.JPEGTables); e != nil {
		c.JPEGTables = e.Value
	}
	c.Layout = c.layout(f, raw, of)
	if c.Compression == OldJPEG {
		c.readOldJPEG(f, raw, of)
	}
	c.setSubsampling(of)
	return c
}

// layout returns the layout that all compressions have in common.
func (c *Coding) layout(f *ifd.File, raw *ifd.Directory, of Image) blocks.Layout {
	const lowBitFirst, t4TwoDimensional = 2, 1
	s := of.Samples
	return blocks.Layout{
		Width:             of.Width,
		Samples:           s.InBlock(),
		Type:              s.Type,
		Bits:              s.Bits,
		Fields:            s.Fields,
		BigEndian:         f.Order == binary.BigEndian,
		Predictor:         blocks.Predictor(min(c.Predictor, 255)),
		LowBitFirst:       raw.Uint(tag.FillOrder, 1) == lowBitFirst && !c.Compression.hasPictures(),
		FaxTwoDimensional: raw.Uint(tag.T4Options, 0)&t4TwoDimensional != 0,
		LERCCompression:   c.lercCompression(raw),
		JPEG: blocks.JPEGLayout{
			Tables: blocks.NewJPEGTables(c.JPEGTables),
			YCbCr:  of.Colors.Photometric == pixel.YCbCr && c.Compression == JPEG && !s.Planar,
		},
	}
}

// readOldJPEG reads what the blocks of old-style JPEG lack.
func (c *Coding) readOldJPEG(f *ifd.File, raw *ifd.Directory, of Image) {
	layout, err := oldjpeg.Image(of).Read(f, raw)
	if err != nil {
		c.problem = err
		return
	}
	c.Layout.JPEG = layout
}

// setSubsampling sets the layout of blocks whose pixels share their chroma.
func (c *Coding) setSubsampling(of Image) {
	sides := of.Colors.Subsampling
	c.Subsampled = of.Colors.Photometric == pixel.YCbCr && !c.Compression.hasPictures() && sides != [2]uint64{1, 1}
	if !c.Subsampled {
		return
	}
	subsampling := blocks.Subsampling{Horizontal: int(min(sides[0], 255)), Vertical: int(min(sides[1], 255))}
	if of.Samples.Planar {
		chroma := c.Layout
		chroma.Subsampling = subsampling
		c.chroma = &chroma
		return
	}
	c.Layout.Subsampling = subsampling
}

// LayoutOf returns how the samples of a plane lie in its blocks.
func (c *Coding) LayoutOf(plane int) *blocks.Layout {
	if plane > 0 && c.chroma != nil {
		return c.chroma
	}
	return &c.Layout
}

// lercCompression returns the second compression applied to LERC streams, or "" if there is none.
func (c *Coding) lercCompression(raw *ifd.Directory) blocks.Compression {
	const deflate, zstd = 1, 2
	parameters := raw.Entry(tag.LERCParameters).Uints() // the version and the second compression
	if c.Compression != LERC || len(parameters) < 2 {
		return ""
	}
	switch parameters[1] {
	case 0:
		return ""
	case deflate:
		return blocks.Deflate
	case zstd:
		return blocks.ZSTD
	}
	return blocks.Compression(fmt.Sprintf("LERC parameter %d", parameters[1]))
}

// Check says why no codec can decode such samples, or returns nil.
func (c *Coding) Check(s *pixel.Samples) error {
	switch {
	case c.problem != nil:
		return c.problem
	case c.Codec == "":
		return fmt.Errorf("compression %d (%v): %w", uint16(c.Compression), c.Compression, decode.ErrUnsupported)
	case s.Type == raster.Unknown:
		return fmt.Errorf("sample format %d (%s) of %d bits: %w", s.Format, s.Format, s.Bits, decode.ErrUnsupported)
	case c.Predictor < 1 || c.Predictor > 3:
		return fmt.Errorf("predictor %d: %w", c.Predictor, decode.ErrUnsupported)
	case c.Subsampled && s.Count != 3:
		return fmt.Errorf("YCbCr of %d samples, subsampled: %w", s.Count, decode.ErrUnsupported)
	case c.Layout.JPEG.YCbCr && s.Count != 3:
		return fmt.Errorf("YCbCr JPEG of %d samples: %w", s.Count, decode.ErrUnsupported)
	case c.Compression == JPEG && (s.Bits > 16 || s.Type.IsFloat()):
		return fmt.Errorf("JPEG of %d-bit %v: %w", s.Bits, s.Type, decode.ErrUnsupported)
	case c.Compression.isJPEG2000() && (s.Type.IsFloat() || s.Type.IsComplex() || s.Fields != nil):
		return fmt.Errorf("JPEG 2000 of %d-bit %v: %w", s.Bits, s.Type, decode.ErrUnsupported)
	case c.Compression == SGILog && s.Planar:
		return fmt.Errorf("SGILog of %d bands in planes: %w", s.Count, decode.ErrUnsupported)
	case c.Compression == JPEG && c.Layout.Samples > 4:
		return fmt.Errorf("JPEG of %d samples: %w", c.Layout.Samples, decode.ErrUnsupported)
	}
	if c.chroma != nil {
		if err := c.chroma.Check(); err != nil {
			return err
		}
	}
	return c.Layout.Check()
}
