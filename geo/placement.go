package geo

import "fmt"

// Placement locates the pixels of an image in a CRS. Pixels are columns and rows of the finest
// level, counted from the outer corner of the first pixel.
type Placement interface {
	// Place returns the place of a pixel, which may be outside the image.
	Place(pixel Point) Point

	// Pixel returns the pixel at a place, which may be outside the image.
	Pixel(place Point) Point

	// Bounds returns the bounding rectangle of an image of the given size.
	Bounds(width, height int) Bounds
}

// KeyedPlacement is a placement that depends on more than the file of the image, such as a height
// that the operator has set.
type KeyedPlacement interface {
	Placement

	// Key identifies the placement: equal keys mean equal places.
	Key() string
}

// affinePlacement is a placement by an affine mapping.
type affinePlacement struct{ forward, inverse Affine }

// AffineOf returns the mapping of an affine placement. It returns false for other placements.
func AffineOf(p Placement) (Affine, bool) {
	a, ok := p.(affinePlacement)
	return a.forward, ok
}

// IsAffine reports whether a placement is affine.
func IsAffine(p Placement) bool {
	_, ok := p.(affinePlacement)
	return ok
}

// NewAffinePlacement returns the placement by a, which must be invertible.
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

// BoundsAround returns the bounding rectangle of the edges of an image, which may be curved. place
// returns the place of a pixel.
func BoundsAround(width, height int, place func(pixel Point) Point) Bounds {
	const steps = 32
	w, h := float64(width), float64(height)
	edge := make([]Point, 0, 4*(steps+1))
	for i := range steps + 1 {
		part := float64(i) / steps
		for _, pixel := range [...]Point{{part * w, 0}, {part * w, h}, {0, part * h}, {w, part * h}} {
			edge = append(edge, place(pixel))
		}
	}
	return boundsOf(edge)
}
