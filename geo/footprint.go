package geo

// Footprint is a rectangle on the Earth, or the place of an image, prepared to compute its bounds in
// several systems. It is not safe for concurrent use.
type Footprint struct {
	area          area
	bounds        Bounds
	sparse, dense samples
}

// area is what a footprint samples: a rectangle of a system, or a turned image inside it.
type area struct {
	crs    *CRS
	bounds Bounds
	turned *turnedImage // or nil
}

// turnedImage is an image by a mapping that is not parallel to the axes.
type turnedImage struct {
	placement     affinePlacement
	width, height float64
}

// at returns a sample point, and holds reports whether a point is in the area.
func (a *area) at(column, row int) Point {
	if t := a.turned; t != nil {
		return t.placement.Place(Point{between(0, t.width, column), between(0, t.height, row)})
	}
	return Point{between(a.bounds.MinX, a.bounds.MaxX, column), between(a.bounds.MinY, a.bounds.MaxY, row)}
}

func (a *area) holds(p Point) bool {
	if t := a.turned; t != nil {
		return Bounds{0, 0, t.width, t.height}.Contains(t.placement.Pixel(p))
	}
	return a.bounds.Contains(p)
}

// samples holds sample points of a rectangle.
type samples struct {
	geodetic    []Point  // radians, on the datum of the rectangle
	geographic  extremes // degrees, on WGS 84
	aroundWorld bool     // neighbors on a row lie on both sides of the antimeridian, or a pole is inside
	holdsPole   bool
}

// NewFootprint returns the footprint of a rectangle of a system.
func NewFootprint(crs *CRS, b Bounds) *Footprint {
	return footprintOf(area{crs: crs, bounds: b})
}

// NewImageFootprint returns the footprint of an image. That of a turned image is the image itself,
// not the rectangle around it.
func NewImageFootprint(crs *CRS, placement Placement, width, height int) *Footprint {
	a := area{crs: crs, bounds: placement.Bounds(width, height)}
	if p, ok := placement.(affinePlacement); ok && !p.forward.isParallel() {
		a.turned = &turnedImage{p, float64(width), float64(height)}
	}
	return footprintOf(a)
}

// isParallel reports whether columns and rows are parallel to the axes.
func (a Affine) isParallel() bool { return a.B == 0 && a.D == 0 || a.A == 0 && a.E == 0 }

func footprintOf(a area) *Footprint {
	f := &Footprint{area: a, bounds: a.bounds}
	if !a.bounds.Empty() {
		f.sparse = sample(&f.area, sparseRows)
	}
	return f
}
