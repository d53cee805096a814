//go:build !purego

package lossless

import (
	"unsafe"

	"tileserver/internal/cpu"
)

// vectorPixels is the number of pixels that the assembly processes at a time. The assembly checks
// no bounds; the functions in this file check them. The Go code processes the remaining pixels.
const vectorPixels = 8

//go:noescape
func vectorsLeft(to, row *pixel, vectors int)

//go:noescape
func vectorsAbove(to, row, above *pixel, vectors int)

//go:noescape
func vectorsLeftAbove(to, row, above *pixel, vectors int)

//go:noescape
func vectorsAllAround(to, row, above *pixel, vectors int)

//go:noescape
func vectorsSelect(to, row, above *pixel, vectors int)

//go:noescape
func vectorsGradient(to, row, above *pixel, vectors int)

//go:noescape
func vectorCosts(sums *[len(candidates)][4]uint64, pixels *pixel, rowBytes, vectors, rows int, roughBits *[2][16]uint8)

// differencesOf computes the differences of the pixels from start to end. None of them may be the
// first of its row.
func differencesOf(m mode, to, pixels []pixel, start, end, width int) {
	vectors := (end - start) / vectorPixels
	if !cpu.Has.AVX2 || vectors < 1 || start < 1 {
		differencesInGo(m, to, pixels, start, end, width)
		return
	}
	rest := start + vectors*vectorPixels
	at, row := &to[start:rest][0], &pixels[start-1 : rest][1]
	if m == modeLeft {
		vectorsLeft(at, row, vectors)
	} else {
		above := &pixels[start-width-1 : rest-width+1][1]
		switch m {
		case modeAbove:
			vectorsAbove(at, row, above, vectors)
		case modeLeftAbove:
			vectorsLeftAbove(at, row, above, vectors)
		case modeAllAround:
			vectorsAllAround(at, row, above, vectors)
		case modeSelect:
			vectorsSelect(at, row, above, vectors)
		case modeGradient:
			vectorsGradient(at, row, above, vectors)
		}
	}
	differencesInGo(m, to, pixels, rest, end, width)
}

// addCosts adds the costs of all candidate modes in an area without the first row and the first
// column of the picture.
func addCosts(costs *[len(candidates)]uint32, pixels []pixel, width int, area block) {
	vectors, rows := (area.right-area.left)/vectorPixels, area.bottom-area.top
	if !cpu.Has.AVX2 || vectors < 1 || rows < 1 || area.left < 1 || area.top < 1 {
		addCostsInGo(costs, pixels, width, area)
		return
	}
	rest := area.left + vectors*vectorPixels
	first, last := area.top*width+area.left, (area.bottom-1)*width+rest
	region := pixels[first-width-1 : last]
	var sums [len(candidates)][4]uint64
	vectorCosts(&sums, &region[width+1], width*int(unsafe.Sizeof(pixel(0))), vectors, rows, &roughBits)
	for i, quarters := range sums {
		costs[i] += uint32(quarters[0] + quarters[1] + quarters[2] + quarters[3])
	}
	area.left = rest
	addCostsInGo(costs, pixels, width, area)
}
