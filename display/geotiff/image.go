// Package geotiff writes planes of samples as a TIFF file that says where on the Earth they lie, for people who want
// numbers and not a picture. It knows samples, their coverage and a place, never files, requests or how samples look.
//
// # What is written
//
// The directories come first, then the blocks. Pictures of red, green and blue have the samples of a pixel side by
// side, because simple viewers read nothing else; all others are written band after band, so that reading one band
// touches no other. Equal images give equal bytes: there is no time, no name of a program, and samples without coverage
// are written as no-data or zero, whatever lay there.
package geotiff

import "errors"

// ErrImage is in the chain of every error about an image that cannot be written as it is described.
var ErrImage = errors.New("geotiff: invalid image")

// ErrTooLarge is in the chain of the error about an image that has more bytes than it may.
var ErrTooLarge = errors.New("geotiff: image too large")

// DefaultMaxBytes is what a MaxBytes of 0 stands for.
const DefaultMaxBytes = 1 << 30

// Image is what to write, and how. Nothing in it is kept or changed.
type Image struct {
	Type          Type
	Width, Height int
	Bands         []Band

	// Coverage says how much of each pixel there is, from 0 to 255: one plane for all bands or one a band. Nil,
	// as a whole or for a band, is all of every pixel.
	Coverage [][]uint8

	// NoData is the number, one of the type, that is written for samples without coverage. It is a promise to readers
	// that no other sample is equal to it; that is not looked after here.
	NoData *float64

	// Masking is how coverage is told where NoData is nil.
	Masking Masking

	// RGB says that the first three bands, of Uint8 or Uint16, are red, green and blue.
	RGB bool

	Place *Place // nil where nothing is known of it

	Compression Compression
	TileSide    int   // of tiles, in pixels, a multiple of 16; 0 is one strip for small images and what suits others
	Big         bool  // makes a BigTIFF of what has room in a classic TIFF too
	MaxBytes    int64 // of all blocks before they are compressed, padding included; 0 is DefaultMaxBytes
}

// Band is one plane of samples, and what is said about it.
type Band struct {
	Samples []byte // row by row without gaps, little endian

	// Name and Unit are text without control characters, or empty.
	Name, Unit string

	// Scale and Offset make a value of a sample: sample*Scale + Offset. A Scale of 0 says neither.
	Scale, Offset float64

	IsOpacity bool // it is the last band, and says how much of each pixel there is
}

// Masking is a way to tell coverage.
type Masking uint8

const (
	// MaskAuto is AlphaBand where readers take it for a mask, one coverage is that of all bands and some of it is not
	// whole; it is MaskPage otherwise. GDAL takes it so beside one or three bands of Uint8 or Uint16.
	MaskAuto Masking = iota

	// AlphaBand adds a band of alpha, not premultiplied, even if all of every pixel is there, so that all files of a
	// layer have as many bands. Samples must be Uint8 or Uint16, whose alpha has a scale that readers know. Where
	// bands differ, that counts which covers most.
	AlphaBand

	// MaskPage adds a page of one bit a pixel, or one a band where bands differ, if there are pixels without any
	// coverage. Those of which there is a part have samples as good as any other.
	MaskPage
)

// Compression is how blocks are compressed.
type Compression uint8

const (
	// Deflate writes differences of neighbours, where common readers can undo that for the type, and compresses them.
	Deflate Compression = iota
	// Uncompressed writes samples as they are.
	Uncompressed
)

// Place says where the pixels lie in a coordinate reference system. Columns and rows count from the outer corner of the
// first pixel.
type Place struct {
	Transform Affine

	// EPSG is the code of the system, 0 if it has none: the file is placed then, but in a system that it does not name.
	EPSG       int
	Geographic bool // coordinates are longitude and latitude, not easting and northing
}

// Affine maps columns and rows to coordinates: x = A*column + B*row + C, y = D*column + E*row + F.
type Affine struct{ A, B, C, D, E, F float64 }

// coverage is that of a band, nil where all of every pixel is there.
func (img *Image) coverage(band int) []uint8 {
	switch len(img.Coverage) {
	case 0:
		return nil
	case 1:
		return img.Coverage[0]
	}
	return img.Coverage[band]
}
