//go:build !purego

package terrain

import "golang.org/x/sys/cpu"

// The assembly does eight pixels at a time and looks at no bounds, so that they are looked at here. It leaves the rest of
// a row to the Go code, which does all of it on machines without AVX2.
const vectorPixels = 8

//go:noescape
func gradientEights(east, south, above, here, below *float32, scaleEast, scaleSouth float32, eights int)

//go:noescape
func shadeEights(dst *uint8, east, south *float32, sun *lamp, eights int)

// gradientVectors makes the first gradients of a row and tells how many.
func gradientVectors(east, south, above, here, below []float32, scaleEast, scaleSouth float32) int {
	eights := min(len(east), len(south), len(above)-2, len(here)-2, len(below)-2) / vectorPixels
	if !cpu.X86.HasAVX2 || eights < 1 {
		return 0
	}
	gradientEights(&east[0], &south[0], &above[0], &here[0], &below[0], scaleEast, scaleSouth, eights)
	return eights * vectorPixels
}

// shadeVectors shades the first pixels of a row and tells how many.
func shadeVectors(sun *lamp, dst []uint8, east, south []float32) int {
	eights := min(len(dst), len(east), len(south)) / vectorPixels
	if !cpu.X86.HasAVX2 || eights < 1 {
		return 0
	}
	shadeEights(&dst[0], &east[0], &south[0], sun, eights)
	return eights * vectorPixels
}
