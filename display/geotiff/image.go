// Package geotiff writes planes of samples as a GeoTIFF file, for clients that want numbers instead
// of a picture. Package layer calls it. It knows samples, their coverage and their place. It must
// never know files, requests or how samples look.
//
// # Layout
//
// The directories come first, then the blocks. RGB pictures have the samples of a pixel adjacent,
// because simple viewers read nothing else. All other images are stored band by band, so that
// reading one band touches no other. Equal images give equal bytes: the file has no time and no
// program name, and samples without coverage are written as nodata or zero, whatever they were.
package geotiff

import "errors"

// ErrImage matches every error about an Image that cannot be written as described.
var ErrImage = errors.New("geotiff: invalid image")

// ErrTooLarge matches the error about an image that exceeds MaxBytes.
var ErrTooLarge = errors.New("geotiff: image too large")

// DefaultMaxBytes is used for a MaxBytes of 0.
const DefaultMaxBytes = 1 << 30

// An Image describes what to write, and how. The encoder does not modify it and keeps no reference
// to it.
type Image struct {
	Type          Type
	Width, Height int
	Bands         []Band

	// Coverage is the coverage of each pixel, from 0 to 255: one plane for all bands, or one per
	// band. Nil, for all or for one band, means fully covered.
	Coverage [][]uint8

	// NoData is written for samples without coverage. It must be a number of the type. No other
	// sample should equal it; this is not checked.
	NoData *float64

	// Masking is how coverage is stored if NoData is nil.
	Masking Masking

	// RGB marks the first three bands as red, green and blue. They must be Uint8 or Uint16.
	RGB bool

	Place *Place // nil if unknown

	Compression Compression
	TileSide    int   // of tiles, in pixels; a multiple of 16. 0 chooses one strip or a tile size by the image
	Big         bool  // writes a BigTIFF even if a classic TIFF suffices
	MaxBytes    int64 // limit of all blocks before compression, with padding; 0 is DefaultMaxBytes
}

// A Band is one plane of samples and its description.
type Band struct {
	Samples []byte // row by row without gaps, little-endian

	// Name and Unit must not contain control characters. They may be empty.
	Name, Unit string

	// Scale and Offset convert a sample to a value: sample*Scale + Offset. A Scale of 0 means none.
	Scale, Offset float64

	IsOpacity bool // the band is the last one and holds opacity
}

// Masking is a way to store coverage.
type Masking uint8

const (
	// MaskAuto is AlphaBand if readers take that for a mask, all bands share their coverage and not
	// all of it is full. Otherwise it is MaskImage. GDAL reads an alpha band as a mask beside one
	// or three bands of Uint8 or Uint16.
	MaskAuto Masking = iota

	// AlphaBand adds a band of alpha, which is not premultiplied. It adds one even if all pixels
	// are fully covered, so that all files of a layer have equally many bands. Samples must be
	// Uint8 or Uint16, whose alpha has a well-known scale. If bands differ, the greatest coverage
	// counts.
	AlphaBand

	// MaskImage adds an image with one bit per pixel, or one bit per band if bands differ, if there
	// are pixels without coverage. Partly covered pixels count as covered.
	MaskImage
)

// Compression is the compression of blocks.
type Compression uint8

const (
	// Deflate compresses differences of neighboring samples if common readers support them for the
	// type, and samples otherwise.
	Deflate Compression = iota
	// Uncompressed writes samples as they are.
	Uncompressed
)

// A Place says where the pixels lie in a coordinate reference system. Columns and rows count from
// the outer corner of the first pixel.
type Place struct {
	Transform Affine

	// EPSG is the code of the system, or 0 if it has none. The file then has coordinates in an
	// unnamed system.
	EPSG       int
	Geographic bool // coordinates are longitude and latitude instead of easting and northing
}

// Affine maps columns and rows to coordinates: x = A*column + B*row + C, y = D*column + E*row + F.
type Affine struct{ A, B, C, D, E, F float64 }

// coverage returns the coverage of a band, or nil if all pixels are fully covered.
func (img *Image) coverage(band int) []uint8 {
	switch len(img.Coverage) {
	case 0:
		return nil
	case 1:
		return img.Coverage[0]
	}
	return img.Coverage[band]
}
