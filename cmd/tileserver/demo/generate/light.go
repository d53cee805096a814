package main

import "math"

// light is how bright the ground is, 1 where it is level: from the north-west, as maps have it, and a little from the
// sides, which gives form to slopes that lie along the beams.
func light(height *grid, x, y, reach int, exaggeration float64) float64 {
	scale := exaggeration / (2 * float64(reach) * height.cellMetres)
	east := (height.at(x+reach, y) - height.at(x-reach, y)) * scale
	south := (height.at(x, y+reach) - height.at(x, y-reach)) * scale
	length := math.Sqrt(1 + east*east + south*south)
	const high = 0.68 // sine of the height of the sun
	const beam = 0.73 // cosine of it
	from := func(westPart, northPart float64) float64 {
		return max((beam*(westPart*east+northPart*south)+high)/(length*high), 0)
	}
	return 0.64*from(math.Sqrt2/2, math.Sqrt2/2) + 0.18*from(1, 0) + 0.18*from(0, 1)
}
