//go:build !purego

package terrain

import "tileserver/internal/cpu"

// The assembly processes steps of eight pixels and checks no bounds, so the callers here do. The Go
// code handles the remaining pixels of a row, or all of them without AVX2.
const vectorPixels = 8

//go:noescape
func gradientSteps(east, south, above, here, below *float32, scaleEast, scaleSouth float32, steps int)

//go:noescape
func shadeSteps(dst *uint8, east, south *float32, sun *sunDirection, steps int)

// gradientVectors computes the first gradients of a row and returns how many.
func gradientVectors(east, south, above, here, below []float32, scaleEast, scaleSouth float32) int {
	steps := min(len(east), len(south), len(above)-2, len(here)-2, len(below)-2) / vectorPixels
	if !cpu.Has.AVX2 || steps < 1 {
		return 0
	}
	gradientSteps(&east[0], &south[0], &above[0], &here[0], &below[0], scaleEast, scaleSouth, steps)
	return steps * vectorPixels
}

// shadeVectors shades the first pixels of a row and returns how many.
func shadeVectors(sun *sunDirection, dst []uint8, east, south []float32) int {
	steps := min(len(dst), len(east), len(south)) / vectorPixels
	if !cpu.Has.AVX2 || steps < 1 {
		return 0
	}
	shadeSteps(&dst[0], &east[0], &south[0], sun, steps)
	return steps * vectorPixels
}
