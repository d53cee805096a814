package tag

import "tileserver/geo"

// ScaleAndTiepoint returns the values of the tags PixelScale and Tiepoints for a transform, and the place
// of the pixel coordinates 0, 0: a corner of the first pixel, or its center if keys count from centers. It
// returns false for an image that is turned, sheared or flipped, which only a Matrix can place.
func ScaleAndTiepoint(t geo.Affine, origin geo.Point) (scale [3]float64, tiepoint [6]float64, ok bool) {
	if t.B != 0 || t.D != 0 || !(t.A > 0) || !(t.E < 0) {
		return scale, tiepoint, false
	}
	return [...]float64{t.A, -t.E, 0}, [...]float64{0, 0, 0, origin.X, origin.Y, 0}, true
}

// Matrix returns the values of the tag Transformation for a transform, and the place of the pixel
// coordinates 0, 0.
func Matrix(t geo.Affine, origin geo.Point) [16]float64 {
	return [...]float64{
		t.A, t.B, 0, origin.X,
		t.D, t.E, 0, origin.Y,
		0, 0, 0, 0,
		0, 0, 0, 1,
	}
}
