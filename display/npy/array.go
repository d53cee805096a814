// Package npy writes planes of samples as an array in the format of NumPy, for people who want numbers and not a
// picture. It knows samples and their coverage, never what they mean or where they come from.
package npy

import (
	"errors"
	"fmt"
	"math"
)

// ErrArray is in the chain of every error about an array that cannot be written as it is described.
var ErrArray = errors.New("npy: invalid array")

// Array is what to write. Nothing in it is kept or changed.
type Array struct {
	Type          Type
	Width, Height int

	// Bands are the planes of samples, row by row without gaps, in little-endian bytes.
	Bands [][]byte

	// Coverage says how much of each pixel there is, from 0 to 255: one plane for all bands or one a band. Nil,
	// as a whole or for a band, is all of every pixel.
	Coverage [][]uint8

	// NoData is written for samples that have no coverage, instead of zero. It must be a number of the type.
	NoData *float64

	// Mask adds the coverage as a last band, in the type of the others. It says 0 where a pixel has no sample in any
	// band, 255 where it is whole, and what lies between where a part of it is covered, whose samples are as good
	// as any other: a reader tests for zero. An int8 has no room for that, so it says half of it, rounded up. Where
	// bands differ, the band counts that covers most.
	Mask bool
}

// validate also says how many bytes of samples there will be.
func (a *Array) validate() (dataBytes int, err error) {
	size := a.Type.Size()
	if size == 0 {
		return 0, fmt.Errorf("%w: type %d does not exist", ErrArray, a.Type)
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
		return 0, fmt.Errorf("%w: no-data value %g is not a number of %s", ErrArray, *a.NoData, a.Type)
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

// planes is the length of the array's first axis.
func (a *Array) planes() int {
	if a.Mask {
		return len(a.Bands) + 1
	}
	return len(a.Bands)
}

// coverage is that of a band, nil where all of every pixel is there.
func (a *Array) coverage(band int) []uint8 {
	switch len(a.Coverage) {
	case 0:
		return nil
	case 1:
		return a.Coverage[0]
	}
	return a.Coverage[band]
}
