package projection

import "math"

// invert solves Forward(longitude, latitude) = (x, y) from a nearby start. It serves projections
// whose inverse is a series or has no closed form. It returns NaN if Newton's method does not
// converge.
func invert(forward func(longitude, latitude float64) (x, y float64), x, y, longitude, latitude float64) (float64, float64) {
	const step, tolerance = 1e-6, 1e-13
	for range 25 {
		x0, y0 := forward(longitude, latitude)
		xLon, yLon := forward(longitude+step, latitude)
		sign := 1.0
		if latitude > 0 {
			sign = -1 // stay off the pole
		}
		xLat, yLat := forward(longitude, latitude+sign*step)
		a, b := (xLon-x0)/step, (xLat-x0)/(sign*step)
		c, d := (yLon-y0)/step, (yLat-y0)/(sign*step)
		determinant := a*d - b*c
		dLon := (d*(x-x0) - b*(y-y0)) / determinant
		dLat := (a*(y-y0) - c*(x-x0)) / determinant
		if math.IsNaN(dLon+dLat) || math.IsInf(dLon+dLat, 0) {
			return nan, nan
		}
		longitude += max(-0.5, min(0.5, dLon))
		latitude = max(-halfPi, min(halfPi, latitude+max(-0.5, min(0.5, dLat))))
		if math.Abs(dLon)+math.Abs(dLat) < tolerance {
			return longitude, latitude
		}
	}
	return nan, nan
}
