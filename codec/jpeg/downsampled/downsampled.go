// Package downsampled enlarges a picture that was reduced before it was coded as JPEG, as NITF
// compression I1 has it, to the size of its image. Decoders of containers call it with the decoded
// picture. It computes any window of the image alone, and knows neither streams nor files.
package downsampled

import (
	"errors"
	"fmt"
)

// ErrSize reports invalid sizes.
var ErrSize = errors.New("downsampled: invalid size")

// Scaling is the size of a reduced picture, and that of its image.
type Scaling struct{ FromWidth, FromHeight, Width, Height int }

// Window is a rectangle of the image.
type Window struct{ Left, Top, Width, Height int }

// Enlarge computes a window of the image from the samples of the reduced picture, both row by row.
// Samples between those of the picture are interpolated linearly; those beyond the outermost ones
// repeat them.
func (s Scaling) Enlarge(dst []uint8, w Window, picture []uint8) error {
	if err := s.check(w, len(dst), len(picture)); err != nil {
		return err
	}
	columns := make([]position, w.Width)
	for x := range columns {
		columns[x] = positionOf(w.Left+x, s.Width, s.FromWidth)
	}
	first, last := columns[0].index, columns[w.Width-1].next
	blended := make([]uint32, last-first+1)
	for i := range columns {
		columns[i].index -= first
		columns[i].next -= first
	}
	for y := range w.Height {
		row := positionOf(w.Top+y, s.Height, s.FromHeight)
		above, below := picture[row.index*s.FromWidth:][first:last+1], picture[row.next*s.FromWidth:][first:last+1]
		blend(blended, above, below, row.weight)
		interpolate(dst[y*w.Width:][:w.Width], blended, columns)
	}
	return nil
}

// check returns an error unless the window lies in the image and the memory has room.
func (s Scaling) check(w Window, dst, picture int) error {
	const maxSide = 1 << 30 // positions are computed with 64 bits
	switch {
	case min(s.FromWidth, s.FromHeight, s.Width, s.Height, w.Width, w.Height) < 1, max(s.Width, s.Height) > maxSide:
	case w.Left < 0 || w.Top < 0 || w.Left > s.Width-w.Width || w.Top > s.Height-w.Height:
	case s.FromWidth > picture/s.FromHeight || w.Width > dst/w.Height:
	default:
		return nil
	}
	return fmt.Errorf("%w: %+v of %+v from %d samples into %d", ErrSize, w, s, picture, dst)
}

// weightBits is the precision of weights. The sum of two weights is 1 << weightBits.
const weightBits = 8

// position is where a column or row of the image lies in the picture: between two neighbors, with
// the weight of the latter.
type position struct {
	index, next int
	weight      uint32
}

// positionOf returns the position of the center of a pixel.
func positionOf(at, size, fromSize int) position {
	// The center in the picture, less half a pixel, in units of 1 / (2 * size).
	center := (2*int64(at)+1)*int64(fromSize) - int64(size)
	units := 2 * int64(size)
	center = max(0, min(center, units*int64(fromSize-1)))
	index := int(center / units)
	weight := (center%units<<weightBits + units/2) / units
	return position{index, min(index+1, fromSize-1), uint32(weight)}
}

// blend computes a row between two of the picture.
func blend(out []uint32, above, below []uint8, weight uint32) {
	above, below = above[:len(out)], below[:len(out)]
	for x := range out {
		out[x] = uint32(above[x])*(1<<weightBits-weight) + uint32(below[x])*weight
	}
}

// interpolate computes a row of the window from a blended one.
func interpolate(out []uint8, row []uint32, columns []position) {
	const half = 1 << (2*weightBits - 1)
	columns = columns[:len(out)]
	for x := range out {
		c := columns[x]
		sum := row[c.index]*(1<<weightBits-c.weight) + row[c.next]*c.weight
		out[x] = uint8((sum + half) >> (2 * weightBits))
	}
}
