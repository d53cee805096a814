package wavelet

import (
	"errors"
	"fmt"
)

// Number is what samples are calculated with: int32 and int64 by the 5-3 wavelet, float32 by the 9-7.
type Number interface{ int32 | int64 | float32 }

// Plane is a rectangle of a band or a resolution.
type Plane[T Number] struct {
	Rect    Rect
	Samples []T // from the upper left corner of Rect on, row by row
	Stride  int // from a row to the next
}

// NewPlane is a plane of zeros.
func NewPlane[T Number](r Rect) Plane[T] {
	return Plane[T]{r, make([]T, r.Width()*r.Height()), r.Width()}
}

// ErrPlane says that a plane has less than its rectangle or its work takes.
var ErrPlane = errors.New("a wavelet's plane is too small")

// row are the samples of row y from column x0 to x1.
func (p *Plane[T]) row(y, x0, x1 int) []T {
	at := (y-p.Rect.Y0)*p.Stride - p.Rect.X0
	return p.Samples[at+x0 : at+x1]
}

// rowOr is the whole of row y, or other where p has no such row.
func (p *Plane[T]) rowOr(y int, other []T) []T {
	if y < p.Rect.Y0 || y >= p.Rect.Y1 {
		return other
	}
	return p.row(y, p.Rect.X0, p.Rect.X1)
}

// check tells whether p has the samples of its rectangle, and those of another.
func (p *Plane[T]) check(needed Rect) error {
	if needed.Empty() {
		return nil
	}
	if !p.Rect.holds(needed) {
		return fmt.Errorf("%w: it is %v, needed is %v", ErrPlane, p.Rect, needed)
	}
	if width, height := p.Rect.Width(), p.Rect.Height(); p.Stride < width || len(p.Samples) < width ||
		(len(p.Samples)-width)/p.Stride < height-1 {
		return fmt.Errorf("%w: %d samples in rows of %d are not those of %v", ErrPlane, len(p.Samples), p.Stride, p.Rect)
	}
	return nil
}

// checkLevel tells whether the planes suffice for a window.
func checkLevel[T Number](f Filter, whole Rect, bands *[4]Plane[T], to *Plane[T]) error {
	if !whole.holds(to.Rect) {
		return fmt.Errorf("%w: the window %v is not inside of %v", ErrPlane, to.Rect, whole)
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
