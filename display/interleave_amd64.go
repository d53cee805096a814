//go:build !purego

package display

import "tileserver/internal/cpu"

//go:noescape
func interleaveSixteens(pixels, red, green, blue *uint8, count int)

// interleaveVectors interleaves the first pixels of planes of one length, and returns how many.
func interleaveVectors(pixels, red, green, blue []uint8) int {
	count := len(red) / 16
	if !cpu.Has.AVX2 || count == 0 {
		return 0
	}
	interleaveSixteens(&pixels[0], &red[0], &green[0], &blue[0], count)
	return 16 * count
}
