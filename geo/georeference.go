package geo

import "math"

// GeoreferenceFromTags reads the GeoTIFF tags ModelPixelScale, ModelTiepoint and
// ModelTransformation. Missing tags are nil. It returns false if the tags do not define an affine
// mapping, for example if there are only scattered tie points.
func GeoreferenceFromTags(scale, tiepoints, matrix []float64, pixelIsPoint bool) (Affine, bool) {
	var a Affine
	switch {
	case len(scale) >= 2 && scale[0] != 0 && scale[1] != 0 && len(tiepoints) >= 6:
		// Some writers negate the vertical scale but mean the same.
		width, height := scale[0], math.Abs(scale[1])
		a = Affine{A: width, C: tiepoints[3] - tiepoints[0]*width, E: -height, F: tiepoints[4] + tiepoints[1]*height}
	case len(matrix) >= 16:
		a = Affine{matrix[0], matrix[1], matrix[3], matrix[4], matrix[5], matrix[7]}
	default:
		return Affine{}, false
	}
	if pixelIsPoint {
		a = a.pixelCentersToCorners()
	}
	_, ok := a.Invert()
	return a, ok
}

// pixelCentersToCorners moves the origin by half a pixel, for files whose coordinates refer to the
// center of the first pixel.
func (a Affine) pixelCentersToCorners() Affine {
	a.C -= (a.A + a.B) / 2
	a.F -= (a.D + a.E) / 2
	return a
}
