// Package tifftest writes small TIFF files of every layout for tests and demonstrations. Its output
// is deterministic. It must never import the package that reads them, so that a mistake cannot
// cancel out.
package tifftest

import (
	"encoding/binary"
	"fmt"
)

// File describes a TIFF file.
type File struct {
	BigTIFF   bool
	BigEndian bool
	COG       bool    // all directories before all pixels, and the pixels of the last image first
	Images    []Image // the chain of directories

	// Ghost is the ghost area between the header and the first directory of a COG. If it is set,
	// blocks are written like GDAL's: each has its size before it and its last four bytes again
	// after it, and a block of a mask follows that of the image before it.
	Ghost string
}

// Image is one directory and its pixels. Only Width, Height and Value must be set.
type Image struct {
	Width, Height int
	// Value returns the sample of a band at a pixel. Integers are rounded and clamped to their
	// range. For YCbCr in JPEG, the bands are red, green and blue.
	Value func(x, y, band int) float64

	Samples int    // per pixel; 0 means 1
	Bits    int    // of a sample: 1 to 64, or up to 128 if complex; 0 means 8
	Format  Format // of a sample
	// Fields replaces Samples, Bits and Format if the samples of a pixel differ in type or size.
	Fields []Field
	// Imaginary returns the imaginary part of complex samples. Nil means 0.
	Imaginary func(x, y, band int) float64

	// Subsampling is how many columns and rows share their chroma, in YCbCr that is not JPEG. Value
	// is then called for bands after the first with the column and row divided by it.
	Subsampling [2]int
	// LowBitFirst reverses the bits of each stored byte: TIFF's FillOrder 2.
	LowBitFirst bool

	Tiled       bool
	BlockWidth  int  // of a tile; 0 means 256
	BlockHeight int  // of a tile, or rows of a strip; 0 means 256, or all rows
	Planar      bool // one plane per band

	Compression Compression
	// Stored returns a block as stored in the file, for compressions that this package cannot
	// write.
	Stored func(column, row, plane int) []byte

	Predictor int // 0 and 1: none, 2: horizontal, 3: floating point
	JPEG      JPEG

	Photometric  Photometric
	ExtraSamples []int       // meaning of the samples after the colors: 0 unknown, 1 associated alpha, 2 alpha
	Palette      [][3]uint16 // one color per sample value
	NoData       string      // value of the tag GDAL_NODATA
	Subfile      Subfile
	Sparse       func(column, row int) bool // reports blocks that are not stored; their offset and size are 0

	// Tags are added to those that follow from the other fields, or replace them. A tag without a
	// Value removes one.
	Tags []Tag
	// Children are written as sub-directories, outside the chain.
	Children []Image
}

// Format is the type of a sample: TIFF's SampleFormat.
type Format int

// The formats.
const (
	Unsigned Format = iota
	Signed
	Float
	ComplexInteger // of two parts of half the bits each
	ComplexFloat
)

// Compression is how blocks are compressed. The values are TIFF's, except None.
type Compression uint16

// The compressions.
const (
	None       Compression = 0
	LZW        Compression = 5
	JPEGBlocks Compression = 7
	Deflate    Compression = 8
	PackBits   Compression = 32773
	OldDeflate Compression = 32946
	ZSTD       Compression = 50000
)

// Photometric is what the samples mean: TIFF's PhotometricInterpretation plus one.
type Photometric int

// The meanings. Automatic chooses one from the other fields.
const (
	Automatic Photometric = iota
	WhiteIsZero
	BlackIsZero
	RGB
	PaletteColor
	TransparencyMask
	CMYK
	YCbCr
)

// Subfile is what an image is to the first one: the flags of TIFF's NewSubfileType.
type Subfile uint32

// The flags.
const (
	Overview Subfile = 1
	Mask     Subfile = 4
)

// JPEG configures how JPEG blocks are written.
type JPEG struct {
	Quality      int  // 1 to 100; 0 means 75
	Subsampled   bool // for YCbCr: 4:2:0, else 4:4:4
	InlineTables bool // tables in each block; else once in the tag JPEGTables
}

// Encode returns the bytes of the file.
func (f File) Encode() ([]byte, error) {
	l := layout{file: f, order: binary.LittleEndian}
	if f.BigEndian {
		l.order = binary.BigEndian
	}
	for i := range f.Images {
		if _, err := l.add(f.Images[i], true); err != nil {
			return nil, fmt.Errorf("image %d: %w", i, err)
		}
	}
	return l.encode()
}

// withDefaults sets the fields that are zero.
func (img Image) withDefaults() Image {
	if len(img.Fields) > 0 {
		img.Samples, img.Bits, img.Format = len(img.Fields), img.Fields[0].Bits, img.Fields[0].Format
	}
	if img.Subsampling == [2]int{} {
		img.Subsampling = [2]int{1, 1}
	}
	setDefault(&img.Samples, 1)
	setDefault(&img.Bits, 8)
	setDefault(&img.Predictor, 1)
	setDefault(&img.JPEG.Quality, 75)
	if img.Tiled {
		setDefault(&img.BlockWidth, 256)
		setDefault(&img.BlockHeight, 256)
	} else {
		img.BlockWidth = img.Width
		setDefault(&img.BlockHeight, img.Height)
	}
	switch {
	case img.Photometric != Automatic:
	case img.Subfile&Mask != 0:
		img.Photometric = TransparencyMask
	case len(img.Palette) > 0:
		img.Photometric = PaletteColor
	case img.Samples >= 3:
		img.Photometric = RGB
	default:
		img.Photometric = BlackIsZero
	}
	return img
}

func setDefault(value *int, to int) {
	if *value == 0 {
		*value = to
	}
}

// check rejects what no reader could be expected to read.
func (img Image) check() error {
	switch {
	case img.Width <= 0 || img.Height <= 0 || img.BlockWidth <= 0 || img.BlockHeight <= 0 || img.Samples <= 0:
		return fmt.Errorf("a size is not positive: %d × %d in blocks of %d × %d, %d samples",
			img.Width, img.Height, img.BlockWidth, img.BlockHeight, img.Samples)
	case img.Value == nil && img.Stored == nil:
		return fmt.Errorf("no pixel values")
	case img.Tiled && (img.BlockWidth%16 != 0 || img.BlockHeight%16 != 0):
		return fmt.Errorf("tiles of %d × %d: not multiples of 16", img.BlockWidth, img.BlockHeight)
	}
	for band := range img.Samples {
		if err := img.field(band).check(); err != nil {
			return err
		}
	}
	switch {
	case img.Predictor < 1 || img.Predictor > 3, img.Predictor != 1 && !img.predictable(), img.Predictor == 3 && img.Format != Float:
		return fmt.Errorf("predictor %d with %d bits", img.Predictor, img.Bits)
	case img.Compression == JPEGBlocks && (img.Bits != 8 || img.Format != Unsigned || img.Predictor != 1 || img.Fields != nil):
		return fmt.Errorf("JPEG needs plain 8-bit samples")
	case img.Fields != nil && img.Planar:
		return fmt.Errorf("samples that differ, in separate planes")
	case img.subsampled() && (img.Photometric != YCbCr || img.Samples != 3 || img.Compression == JPEGBlocks || img.Fields != nil):
		return fmt.Errorf("subsampled chroma in an image without chroma")
	}
	return nil
}

// predictable reports whether a predictor can be applied to the samples.
func (img Image) predictable() bool {
	switch img.Bits {
	case 8, 16, 32, 64:
		return img.Fields == nil && !img.Format.complex() && !img.subsampled()
	}
	return img.Format == Float && img.Bits == 24
}
