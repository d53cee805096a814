package tiff

import (
	"encoding/binary"
	"fmt"

	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/pixel"
	"tileserver/decode/tiff/tag"
	"tileserver/raster"
)

// coding says how the samples are coded in the blocks.
type coding struct {
	compression compression
	codec       blocks.Compression // or empty if the compression is unknown
	predictor   uint64             // 1 (none) if the compression ignores it
	layout      blocks.Layout
	chroma      *blocks.Layout // of the second and third plane, if it differs from that of the first
	jpegTables  []byte         // shared by all blocks, as stored
}

func (d *directory) readCoding(raw *ifd.Directory, order binary.ByteOrder) {
	const lowBitFirst = 2
	c := coding{compression: compression(raw.Uint(tag.Compression, 1)), predictor: uint64(blocks.NoPredictor)}
	c.codec, _ = c.compression.codec()
	if c.compression.usesPredictor() {
		c.predictor = raw.Uint(tag.Predictor, c.predictor)
	}
	if e := raw.Entry(tag.JPEGTables); e != nil {
		c.jpegTables = e.Value
	}
	c.layout = blocks.Layout{
		Width:           d.blockWidth,
		Samples:         d.samples.InBlock(),
		Type:            d.samples.Type,
		Bits:            d.samples.Bits,
		Fields:          d.samples.Fields,
		BigEndian:       order == binary.BigEndian,
		Predictor:       blocks.Predictor(min(c.predictor, 255)),
		LowBitFirst:     raw.Uint(tag.FillOrder, 1) == lowBitFirst && !c.compression.hasPictures(),
		T4Options:       uint32(raw.Uint(tag.T4Options, 0)),
		LERCCompression: c.lercCompression(raw),
		JPEG: blocks.JPEGLayout{
			Tables: blocks.NewJPEGTables(c.jpegTables),
			YCbCr:  d.colors.Photometric == pixel.YCbCr && c.compression == compressionJPEG && !d.samples.Planar,
		},
	}
	d.coding = c
}

// setSubsampling sets the layout of blocks whose pixels share their chroma.
func (d *directory) setSubsampling() {
	if !d.isSubsampled() {
		return
	}
	sides := d.colors.Subsampling
	subsampling := blocks.Subsampling{Horizontal: int(min(sides[0], 255)), Vertical: int(min(sides[1], 255))}
	if d.samples.Planar {
		chroma := d.coding.layout
		chroma.Subsampling = subsampling
		d.coding.chroma = &chroma
		return
	}
	d.coding.layout.Subsampling = subsampling
}

// isSubsampled reports whether pixels share their chroma in blocks whose codec does not handle that
// itself.
func (d *directory) isSubsampled() bool {
	return d.colors.Photometric == pixel.YCbCr && !d.coding.compression.hasPictures() && d.colors.Subsampling != [2]uint64{1, 1}
}

// layoutOf returns how the samples of a plane lie in its blocks.
func (c *coding) layoutOf(plane int) *blocks.Layout {
	if plane > 0 && c.chroma != nil {
		return c.chroma
	}
	return &c.layout
}

// lercCompression returns the second compression applied to LERC streams, or "" if there is none.
func (c *coding) lercCompression(raw *ifd.Directory) blocks.Compression {
	const deflate, zstd = 1, 2
	parameters := raw.Entry(tag.LERCParameters).Uints() // the version and the second compression
	if c.compression != compressionLERC || len(parameters) < 2 {
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

// checkSupport says why no codec can decode the directory, or returns nil.
func (d *directory) checkSupport() error {
	s, c := &d.samples, &d.coding
	switch {
	case c.codec == "":
		return fmt.Errorf("compression %d (%v): %w", uint16(c.compression), c.compression, decode.ErrUnsupported)
	case s.Type == raster.Unknown:
		return fmt.Errorf("sample format %d (%s) of %d bits: %w", s.Format, s.Format, s.Bits, decode.ErrUnsupported)
	case c.predictor < 1 || c.predictor > 3:
		return fmt.Errorf("predictor %d: %w", c.predictor, decode.ErrUnsupported)
	case d.isSubsampled() && s.Count != 3:
		return fmt.Errorf("YCbCr of %d samples, subsampled: %w", s.Count, decode.ErrUnsupported)
	case c.layout.JPEG.YCbCr && s.Count != 3:
		return fmt.Errorf("YCbCr JPEG of %d samples: %w", s.Count, decode.ErrUnsupported)
	case c.compression == compressionJPEG && (s.Bits > 16 || s.Type.IsFloat()):
		return fmt.Errorf("JPEG of %d-bit %v: %w", s.Bits, s.Type, decode.ErrUnsupported)
	case c.compression == compressionSGILog && s.Planar:
		return fmt.Errorf("SGILog of %d bands in planes: %w", s.Count, decode.ErrUnsupported)
	case c.compression == compressionJPEG && c.layout.Samples > 4:
		return fmt.Errorf("JPEG of %d samples: %w", c.layout.Samples, decode.ErrUnsupported)
	}
	if c.chroma != nil {
		if err := c.chroma.Check(); err != nil {
			return err
		}
	}
	return c.layout.Check()
}
