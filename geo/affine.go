package geo

import "math"

// Affine maps image coordinates to a CRS: x = A·column + B·row + C, y = D·column + E·row + F.
// Columns and rows count from the outer corner of the first pixel, so its center is at 0.5, 0.5.
type Affine struct{ A, B, C, D, E, F float64 }

// Apply maps a column (X) and row (Y) to the CRS.
func (a Affine) Apply(p Point) Point {
	return Point{a.A*p.X + a.B*p.Y + a.C, a.D*p.X + a.E*p.Y + a.F}
}

// Invert returns the mapping from the CRS to columns and rows. It returns false if there is none.
func (a Affine) Invert() (Affine, bool) {
	determinant := a.A*a.E - a.B*a.D
	scale := (math.Abs(a.A) + math.Abs(a.B)) * (math.Abs(a.D) + math.Abs(a.E))
	if !(math.Abs(determinant) > 1e-14*scale) || math.IsInf(scale, 0) {
		return Affine{}, false
	}
	inverse := Affine{A: a.E / determinant, B: -a.B / determinant, D: -a.D / determinant, E: a.A / determinant}
	inverse.C = -(inverse.A*a.C + inverse.B*a.F)
	inverse.F = -(inverse.D*a.C + inverse.E*a.F)
	if math.IsNaN(inverse.C+inverse.F) || math.IsInf(inverse.C+inverse.F, 0) {
		return Affine{}, false
	}
	return inverse, true
}

// Bounds returns the bounding rectangle of an image of the given size.
func (a Affine) Bounds(width, height int) Bounds {
	w, h := float64(width), float64(height)
	first := a.Apply(Point{})
	b := Bounds{first.X, first.Y, first.X, first.Y}
	for _, corner := range [...]Point{{w, 0}, {0, h}, {w, h}} {
		p := a.Apply(corner)
		b = Bounds{min(b.MinX, p.X), min(b.MinY, p.Y), max(b.MaxX, p.X), max(b.MaxY, p.Y)}
	}
	return b
}
