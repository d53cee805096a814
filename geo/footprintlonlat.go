package geo

import "math"

// LonLat returns the bounds of the rectangle in degrees of longitude and latitude on WGS 84. Across
// the antimeridian, longitudes continue beyond 180 or below -180 instead of splitting.
func (f *Footprint) LonLat() Bounds {
	torn := f.In(CRS84())
	if !f.sparse.aroundWorld || f.sparse.holdsPole || f.area.crs.Key() == CRS84().Key() {
		return torn
	}
	t := NewTransform(f.area.crs, CRS84())
	middle := t.Apply(f.bounds.Center()).X
	if math.IsNaN(middle) {
		return torn
	}
	around := newExtremes()
	for _, g := range f.sparse.geodetic {
		p := t.fromGeodetic(g.X, g.Y)
		p.X += 360 * math.Round((middle-p.X)/360)
		around.add(p)
	}
	if around.bounds.Empty() || around.bounds.Width() >= torn.Width() {
		return torn
	}
	return around.bounds
}
