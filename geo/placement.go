package geo

import "fmt"

// Placement says where in a CRS the pixels of an image lie. Pixels are columns and rows of its finest level, counted from
// the outer corner of the first one.
type Placement interface {
	// Place is where a pixel lies, be it in the image or beside it.
	Place(pixel Point) Point

	// Pixel is the pixel at a place, which may lie beside the image.
	Pixel(place Point) Point

	// Bounds is the rectangle around an image of the given size.
	Bounds(width, height int) Bounds
}

// affinePlacement is that of an image which is not bent.
type affinePlacement struct{ forward, inverse Affine }

// AffineOf returns the mapping of a placement which is not bent.
func AffineOf(p Placement) (Affine, bool) {
	a, ok := p.(affinePlacement)
	return a.forward, ok
}

// IsAffine reports whether a placement is not bent.
func IsAffine(p Placement) bool {
	_, ok := p.(affinePlacement)
	return ok
}

// NewAffinePlacement returns the placement by a, which must have an inverse.
func NewAffinePlacement(a Affine) (Placement, error) {
	inverse, ok := a.Invert()
	if !ok {
		return nil, fmt.Errorf("the georeference %+v has no inverse", a)
	}
	return affinePlacement{a, inverse}, nil
}

func (p affinePlacement) Place(pixel Point) Point         { return p.forward.Apply(pixel) }
func (p affinePlacement) Pixel(place Point) Point         { return p.inverse.Apply(place) }
func (p affinePlacement) Bounds(width, height int) Bounds { return p.forward.Bounds(width, height) }
