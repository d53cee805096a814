package wavelet

import (
	"errors"
	"fmt"
)

// Number is the type that samples are computed in: an integer for the 5-3 wavelet, float32 for the
// 9-7.
type Number interface{ Integer | float32 }

// Integer is the type that samples of the 5-3 wavelet are computed in. int16 takes half the time of
// int32, but the caller must know that nothing overflows: see MaxOf53.
type Integer interface{ int16 | int32 | int64 }

// Plane holds a rectangle of a band or a resolution.
type Plane[T Number] struct {
	Rect    Rect
	Samples []T // row by row, from the upper left corner of Rect
	Stride  int // samples from a row to the next
}

// NewPlane returns a plane of zeros.
func NewPlane[T Number](r Rect) Plane[T] {
	return Plane[T]{r, make([]T, r.Width()*r.Height()), r.Width()}
}

// ErrPlane reports a plane that is smaller than its rectangle or than the operation needs.
var ErrPlane = errors.New("a wavelet's plane is too small")

// row returns the samples of row y from column x0 to x1.
func (p *Plane[T]) row(y, x0, x1 int) []T {
	at := (y-p.Rect.Y0)*p.Stride - p.Rect.X0
	return p.Samples[at+x0 : at+x1]
}

// rowOr returns the whole row y, or other if p has no such row.
func (p *Plane[T]) rowOr(y int, other []T) []T {
	if y < p.Rect.Y0 || y >= p.Rect.Y1 {
		return other
	}
	return p.row(y, p.Rect.X0, p.Rect.X1)
}

// check returns an error if p lacks samples of its rectangle, or if the rectangle does not contain
// needed.
func (p *Plane[T]) check(needed Rect) error {
	if needed.Empty() {
		return nil
	}
	if !p.Rect.contains(needed) {
		return fmt.Errorf("%w: have %v, need %v", ErrPlane, p.Rect, needed)
	}
	if width, height := p.Rect.Width(), p.Rect.Height(); p.Stride < width || len(p.Samples) < width ||
		(len(p.Samples)-width)/p.Stride < height-1 {
		return fmt.Errorf("%w: %d samples in rows of %d are too few for %v", ErrPlane, len(p.Samples), p.Stride, p.Rect)
	}
	return nil
}

// checkLevel returns an error if the planes do not suffice for the window to.Rect.
func checkLevel[T Number](f Filter, whole Rect, bands *[4]Plane[T], to *Plane[T]) error {
	if !whole.contains(to.Rect) {
		return fmt.Errorf("%w: the window %v is not inside %v", ErrPlane, to.Rect, whole)
	}
	if err := to.check(to.Rect); err != nil {
		return fmt.Errorf("resolution: %w", err)
	}
	for o, needed := range f.Needed(whole, to.Rect) {
		if err := bands[o].check(needed); err != nil {
			return fmt.Errorf("band %d: %w", o, err)
		}
	}
	return nil
}
