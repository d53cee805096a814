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
	for y := part.Y0; y < part.Y1; y++ {
		at := (y-block.Y0)*block.Width() + part.X0 - block.X0
		placeRow(to.row(y, part.X0, part.X1), coefficients[at:at+part.Width()], one)
	}
	return nil
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

func placeRow[C Coefficient, T Number](to []T, from []C, one T) {
	if same, ok := any(from).([]T); ok && one == 1 {
		copy(to, same)
		return
	}
	if !placeVectors(to, from, one) {
		placeRowInGo(to, from, one)
	}
}

func placeRowInGo[C Coefficient, T Number](to []T, from []C, one T) {
	for i, c := range from[:len(to)] {
		to[i] = T(c) * one
	}
}
