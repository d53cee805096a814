// Package npy writes planes of samples as an array in the NumPy format, for clients that want
// numbers instead of a picture. Package layer calls it. It knows samples and their coverage. It
// must never know what they mean or where they come from.
package npy

import (
	"errors"
	"fmt"
	"math"
)

// ErrArray matches every error about an array that cannot be written as described.
var ErrArray = errors.New("npy: invalid array")

// An Array describes what to write. Append does not modify it and keeps no reference to it.
type Array struct {
	Type          Type
	Width, Height int

	// Bands are the planes of samples, row by row without gaps, in little-endian order.
	Bands [][]byte

	// Coverage is the coverage of each pixel, from 0 to 255: one plane for all bands, or one per
	// band. Nil, for all or for one band, means fully covered.
	Coverage [][]uint8

	// NoData is written for samples without coverage, in place of zero. It must be a number of the
	// type.
	NoData *float64

	// Mask adds the coverage as a last band of the same type. It is 0 if no band covers the pixel,
	// 255 if the pixel is fully covered, and between these if it is partly covered. Partly covered
	// pixels have valid samples, so readers should test for zero. Int8 cannot hold 255, so its mask
	// is half the coverage, rounded up. If bands differ, the greatest coverage counts.
	Mask bool
}

// validate checks the array and returns the number of bytes of its samples.
func (a *Array) validate() (dataBytes int, err error) {
	size := a.Type.Size()
	if size == 0 {
		return 0, fmt.Errorf("%w: unknown type %d", ErrArray, a.Type)
	}
	if a.Width < 1 || a.Height < 1 || a.Width > math.MaxInt/size/a.Height {
		return 0, fmt.Errorf("%w: %d x %d pixels", ErrArray, a.Width, a.Height)
	}
	if len(a.Bands) == 0 {
		return 0, fmt.Errorf("%w: no bands", ErrArray)
	}
	pixels := a.Width * a.Height
	for i, plane := range a.Bands {
		if len(plane) != pixels*size {
			return 0, fmt.Errorf("%w: band %d: %d bytes for %d samples of %d", ErrArray, i, len(plane), pixels, size)
		}
	}
	if err := a.validateCoverage(pixels); err != nil {
		return 0, err
	}
	if a.NoData != nil && !a.Type.holds(*a.NoData) {
		return 0, fmt.Errorf("%w: nodata value %g is not a number of %s", ErrArray, *a.NoData, a.Type)
	}
	if planes := a.planes(); planes > math.MaxInt/pixels/size {
		return 0, fmt.Errorf("%w: %d planes of %d x %d pixels", ErrArray, planes, a.Width, a.Height)
	}
	return a.planes() * pixels * size, nil
}

func (a *Array) validateCoverage(pixels int) error {
	if n := len(a.Coverage); n > 1 && n != len(a.Bands) {
		return fmt.Errorf("%w: %d planes of coverage for %d bands", ErrArray, n, len(a.Bands))
	}
	for i, plane := range a.Coverage {
		if plane != nil && len(plane) != pixels {
			return fmt.Errorf("%w: coverage %d: %d bytes for %d pixels", ErrArray, i, len(plane), pixels)
		}
	}
	return nil
}

// planes returns the length of the first axis of the array.
func (a *Array) planes() int {
	if a.Mask {
		return len(a.Bands) + 1
	}
	return len(a.Bands)
}

// coverage returns the coverage of a band, or nil if all pixels are fully covered.
func (a *Array) coverage(band int) []uint8 {
	switch len(a.Coverage) {
	case 0:
		return nil
	case 1:
		return a.Coverage[0]
	}
	return a.Coverage[band]
}
