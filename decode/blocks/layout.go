package blocks

import (
	"fmt"
	"math"

	"tileserver/decode"
	"tileserver/raster"
)

// Layout says how samples lie in the stored blocks of an image. All jobs of a level share one
// Layout, so it must not change once it is in use.
type Layout struct {
	Width     int // pixels in a stored row, including those past the image's edge
	Samples   int // samples of a pixel in one stream: all bands if interleaved by pixel, else 1
	Type      raster.DataType
	Bits      int // of a stored sample; at most the size of Type
	BigEndian bool
	Predictor Predictor

	// LowBitFirst says that the bits of each stored byte are in reverse order.
	LowBitFirst bool

	// Fields lists the samples of a pixel if they differ in type or size, and is nil otherwise.
	Fields []Field

	// Subsampling says how many pixels share one sample of Cb and of Cr. If Samples is 3, pixels
	// are stored in chroma blocks: the luma of each pixel, then Cb, then Cr. If Samples is 1, the
	// stream is the plane of Cb or of Cr.
	Subsampling Subsampling

	JPEG JPEGLayout

	// FaxTwoDimensional says that rows of CCITTFax3 may be coded relative to the row above.
	FaxTwoDimensional bool

	// Halvings says which resolution of a JPEG2000 block is decoded: its sides are halved so many
	// times. Width, and the rows of a Job, are those of that resolution.
	Halvings int

	// LERCCompression is the second compression applied to LERC streams, or empty if there is none.
	LERCCompression Compression
}

// Predictor says which differences of samples were taken before compression.
type Predictor uint8

// The predictors, by their numbers in TIFF. The zero Predictor means NoPredictor.
const (
	NoPredictor         Predictor = 1
	HorizontalPredictor Predictor = 2
	FloatPredictor      Predictor = 3
)

// Subsampling is the size in pixels of a chroma block. The zero value means that every pixel has
// its own chroma.
type Subsampling struct{ Horizontal, Vertical int }

// RowBytes returns the size of a stored row, which ends on a whole byte. A row of chroma blocks
// covers several rows of pixels; its size is divided among them and rounded up.
func (l *Layout) RowBytes() int {
	if l.isSubsampled() {
		v := l.Subsampling.Vertical
		return (l.chromaBlockRowBytes() + v - 1) / v
	}
	return (l.Width*l.pixelBits() + 7) / 8
}

// BlockBytes returns the size of a decompressed block with the given number of rows.
func (l *Layout) BlockBytes(rows int) int {
	if l.isSubsampled() {
		v := l.Subsampling.Vertical
		return (rows + v - 1) / v * l.chromaBlockRowBytes()
	}
	return rows * l.RowBytes()
}

// blockBytes is BlockBytes in floating point: the sides that a file claims may overflow an integer
// when multiplied.
func (l *Layout) blockBytes(rows int) float64 {
	if l.isSubsampled() {
		v := l.Subsampling.Vertical
		return math.Ceil(float64(rows)/float64(v)) * float64(l.chromaBlockRowBytes())
	}
	return float64(rows) * float64(l.RowBytes())
}

// rowSamples returns the number of samples in a stored row.
func (l *Layout) rowSamples() int {
	if l.isSubsampled() {
		return l.chromaBlockRowSamples()
	}
	return l.Width * l.Samples
}

func (l *Layout) pixelBits() int {
	if l.Fields == nil {
		return l.Samples * l.Bits
	}
	bits := 0
	for _, f := range l.Fields {
		bits += f.Bits
	}
	return bits
}

// Check returns nil if the codecs can read samples that lie as l says, and otherwise an
// decode.ErrUnsupported that says why not.
func (l *Layout) Check() error {
	if l.Width <= 0 || l.Samples <= 0 {
		return fmt.Errorf("a block of %d pixels of %d samples in a row: %w", l.Width, l.Samples, decode.ErrUnsupported)
	}
	if l.Fields == nil && !l.hasMemorySize() && !l.isNarrowFloat() && !l.isPacked() {
		return fmt.Errorf("%d bits a sample of %v: %w", l.Bits, l.Type, decode.ErrUnsupported)
	}
	if err := l.checkFields(); err != nil {
		return err
	}
	if err := l.checkSubsampling(); err != nil {
		return err
	}
	if !l.checkPredictor() {
		return fmt.Errorf("predictor %d of %d-bit %v: %w", l.Predictor, l.Bits, l.Type, decode.ErrUnsupported)
	}
	return nil
}

func (l *Layout) checkPredictor() bool {
	if l.Predictor == NoPredictor || l.Predictor == 0 {
		return true
	}
	inChromaBlocks := l.isSubsampled() && l.Samples > 1
	if l.Fields != nil || inChromaBlocks || l.isPacked() {
		return false
	}
	switch l.Predictor {
	case HorizontalPredictor:
		return l.Bits == 8 || l.Bits == 16 || l.Bits == 32 || l.Bits == 64
	case FloatPredictor:
		return l.Type.IsFloat()
	}
	return false
}

// hasMemorySize reports whether a stored sample has the bits that it has in memory. Its byte order
// may differ.
func (l *Layout) hasMemorySize() bool { return l.Bits == 8*l.Type.Size() && l.Fields == nil }
