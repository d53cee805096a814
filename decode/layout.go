package decode

import (
	"fmt"
	"math"

	"tileserver/raster"
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

	// LowBitFirst says that the bits of each stored byte are in reverse.
	LowBitFirst bool

	// Fields are the samples of a pixel, one by one, if they are not all alike.
	Fields []Field

	// Subsampling says how many pixels share their chroma. Pixels of three samples
	// lie in clumps then: the luminance of each, and after it Cb and Cr. Of one
	// sample, it is the plane of Cb or of Cr.
	Subsampling Subsampling

	JPEG JPEGLayout

	// T4Options is the TIFF tag of that name, for CCITTFax3.
	T4Options uint32

	// AroundLERC is how LERC streams were compressed once more, or empty.
	AroundLERC Compression
}

// Predictor says how samples were differenced before they were compressed.
type Predictor uint8

// The predictors of TIFF.
const (
	NoPredictor         Predictor = 1
	HorizontalPredictor Predictor = 2
	FloatPredictor      Predictor = 3
)

// Subsampling is the size in pixels of what shares one sample of chroma. The
// zero value is that every pixel has its own.
type Subsampling struct{ Horizontal, Vertical int }

// RowBytes is the size of a stored row, which ends on a whole byte. Where pixels
// lie in clumps it is the row's part of a row of those, rounded up.
func (l *Layout) RowBytes() int {
	if l.subsampled() {
		v := l.Subsampling.Vertical
		return (l.clumpRowBytes() + v - 1) / v
	}
	return (l.Width*l.pixelBits() + 7) / 8
}

// BlockBytes is the size of a stored block of some rows.
func (l *Layout) BlockBytes(rows int) int {
	if l.subsampled() {
		v := l.Subsampling.Vertical
		return (rows + v - 1) / v * l.clumpRowBytes()
	}
	return rows * l.RowBytes()
}

// blockBytes is BlockBytes of sides that may multiply to any number.
func (l *Layout) blockBytes(rows int) float64 {
	if l.subsampled() {
		v := l.Subsampling.Vertical
		return math.Ceil(float64(rows)/float64(v)) * float64(l.clumpRowBytes())
	}
	return float64(rows) * float64(l.RowBytes())
}

// rowSamples is the samples of a stored row.
func (l *Layout) rowSamples() int {
	if l.subsampled() {
		return l.clumpRowSamples()
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

// Check is nil if the codecs can read samples that lie as l says, and otherwise
// ErrUnsupported with what is the matter.
func (l *Layout) Check() error {
	if l.Width <= 0 || l.Samples <= 0 {
		return fmt.Errorf("a block of %d pixels of %d samples in a row: %w", l.Width, l.Samples, ErrUnsupported)
	}
	if l.Fields == nil && !l.whole() && !l.narrowFloat() && !l.packed() {
		return fmt.Errorf("%d bits a sample of %v: %w", l.Bits, l.Type, ErrUnsupported)
	}
	if err := l.checkFields(); err != nil {
		return err
	}
	if err := l.checkSubsampling(); err != nil {
		return err
	}
	if !l.checkPredictor() {
		return fmt.Errorf("predictor %d of %d-bit %v: %w", l.Predictor, l.Bits, l.Type, ErrUnsupported)
	}
	return nil
}

func (l *Layout) checkPredictor() bool {
	if l.Predictor == NoPredictor || l.Predictor == 0 {
		return true
	}
	inClumps := l.subsampled() && l.Samples > 1
	if l.Fields != nil || inClumps || l.packed() {
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

// whole tells whether samples are stored as they are in memory, up to the order
// of their bytes.
func (l *Layout) whole() bool { return l.Bits == 8*l.Type.Size() && l.Fields == nil }
