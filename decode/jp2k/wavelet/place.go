package wavelet

import "fmt"

// Coefficient is a type that those of code-blocks are kept as.
type Coefficient interface{ int16 | int32 | int64 }

// Place puts those coefficients of a code-block that are in a band's plane there, each times what 1 stands for. They are
// those of the whole block, row by row. The error is ErrPlane, and is for what does not fit.
func Place[C Coefficient, T Number](to *Plane[T], block Rect, coefficients []C, one T) error {
	part := block.Intersect(to.Rect)
	if part.Empty() {
		return nil
	}
	if err := to.check(part); err != nil {
		return fmt.Errorf("band: %w", err)
	}
	if len(coefficients)/block.Width() < block.Height() {
		return fmt.Errorf("%w: %d coefficients are not those of the code-block %v", ErrPlane, len(coefficients), block)
	}
	for y := part.Y0; y < part.Y1; y++ {
		at := (y-block.Y0)*block.Width() + part.X0 - block.X0
		placeRow(to.row(y, part.X0, part.X1), coefficients[at:at+part.Width()], one)
	}
	return nil
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
