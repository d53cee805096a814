package request

import (
	"math"

	"tileserver/geo"
	"tileserver/http/answer"
)

// TransformBounds normalizes bounds and transforms them into another reference system.
func TransformBounds(bounds geo.Bounds, from, to *geo.CRS) (geo.Bounds, error) {
	bounds, err := Normalize(bounds, from)
	if err != nil || from.Key() == to.Key() {
		return bounds, err
	}
	return transform(bounds, from, to)
}

// Normalize returns the part of a box that a map can show. A geographic box across the antimeridian
// may have west greater than east.
func Normalize(b geo.Bounds, crs *geo.CRS) (geo.Bounds, error) {
	if crs.IsGeographic() {
		if b.MinX > b.MaxX && b.MinX <= 180 && b.MaxX >= -180 {
			b.MaxX += 360
		}
		if b.MinY < b.MaxY && (b.MinY >= 90 || b.MaxY <= -90) || b.MinX < b.MaxX && (b.MinX >= 360 || b.MaxX <= -360) {
			return b, answer.NotFound("outside the reference system: there are no such longitudes or latitudes")
		}
		b.MinY, b.MaxY = max(b.MinY, -90), min(b.MaxY, 90)
	}
	if b.Empty() || math.IsInf(b.Width(), 0) || math.IsInf(b.Height(), 0) {
		return b, answer.Invalid("invalid parameter: the extent must not be empty, and its lower left corner comes first")
	}
	return b, nil
}

// transform returns the bounds of a box in another reference system.
func transform(b geo.Bounds, from, to *geo.CRS) (geo.Bounds, error) {
	transformed := geo.TransformBounds(geo.NewTransform(from, to), b)
	if transformed.Empty() {
		return transformed, answer.NotFound("outside the reference system: no part of the extent lies in it")
	}
	return transformed, nil
}
