package wavelet

import "fmt"

// Coefficient is a type that coefficients of code-blocks are stored in.
type Coefficient interface{ int8 | int16 | int32 | int64 }

// Place copies the coefficients of a code-block that lie in a band's plane into the plane,
// multiplied by one, the value of coefficient 1. The coefficients are those of the whole block, row
// by row. The error is ErrPlane if the sizes do not fit.
func Place[C Coefficient, T Number](to *Plane[T], block Rect, coefficients []C, one T) error {
	part, err := partIn(to, block)
	if err != nil || part.Empty() {
		return err
	}
	if len(coefficients)/block.Width() < block.Height() {
		return fmt.Errorf("%w: %d coefficients do not fill the code-block %v", ErrPlane, len(coefficients), block)
	}
	r := rows[C, T]{
		to: to.Samples[(part.Y0-to.Rect.Y0)*to.Stride+part.X0-to.Rect.X0:], toStride: to.Stride,
		from: coefficients[(part.Y0-block.Y0)*block.Width()+part.X0-block.X0:], fromStride: block.Width(),
		width: part.Width(), height: part.Height(),
	}
	r.place(one)
	return nil
}

// rows is a part of a plane, and the coefficients for it, each from the first row on. There is at least one
// sample.
type rows[C Coefficient, T Number] struct {
	to                   []T
	from                 []C
	toStride, fromStride int
	width, height        int
}

// place places all rows. What depends on the types is found out once.
func (r *rows[C, T]) place(one T) {
	same, areSame := any(r.from).([]T)
	switch {
	case areSame && one == 1:
		for y := range r.height {
			copy(r.to[y*r.toStride:][:r.width], same[y*r.fromStride:])
		}
	case r.placeVectors(one):
	default:
		r.placeInGo(one)
	}
}

func (r *rows[C, T]) placeInGo(one T) {
	for y := range r.height {
		to := r.to[y*r.toStride:][:r.width]
		for x, c := range r.from[y*r.fromStride:][:r.width] {
			to[x] = T(c) * one
		}
	}
}

// PlaceZeros is Place for a code-block whose coefficients are all zero.
func PlaceZeros[T Number](to *Plane[T], block Rect) error {
	part, err := partIn(to, block)
	for y := part.Y0; y < part.Y1; y++ {
		clear(to.row(y, part.X0, part.X1))
	}
	return err
}

// partIn returns the part of a code-block that lies in a band's plane, or nothing with an error.
func partIn[T Number](to *Plane[T], block Rect) (Rect, error) {
	part := block.Intersect(to.Rect)
	if part.Empty() {
		return Rect{}, nil
	}
	if err := to.check(part); err != nil {
		return Rect{}, fmt.Errorf("band: %w", err)
	}
	return part, nil
}
