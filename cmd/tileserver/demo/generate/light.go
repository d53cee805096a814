package main

import "math"

// light returns the brightness of the ground; 1 where it is level. Most light comes from the
// northwest, as is usual on maps. Some comes from the west and the north, to shade slopes parallel
// to the main beam.
func light(height *grid, x, y, reach int, exaggeration float64) float64 {
	scale := exaggeration / (2 * float64(reach) * height.metersPerCell)
	east := (height.at(x+reach, y) - height.at(x-reach, y)) * scale
	south := (height.at(x, y+reach) - height.at(x, y-reach)) * scale
	length := math.Sqrt(1 + east*east + south*south)
	const high = 0.68 // sine of the sun's elevation
	const beam = 0.73 // cosine of it
	from := func(westPart, northPart float64) float64 {
		return max((beam*(westPart*east+northPart*south)+high)/(length*high), 0)
	}
	return 0.64*from(math.Sqrt2/2, math.Sqrt2/2) + 0.18*from(1, 0) + 0.18*from(0, 1)
}
