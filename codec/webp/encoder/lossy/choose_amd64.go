//go:build !purego

package lossy

import "tileserver/internal/cpu"

// The assembly checks no bounds; the functions in this file check them.

//go:noescape
func chooseVector(e *edges, to *predictions, src *uint8, stride int, modeEfforts *[16]int32) (key uint32)

//go:noescape
func effort16Vector(a, b *uint8, stride int) (sum int32)

// choose predicts a subblock in all modes, and returns the key of the best mode: its effort,
// shifted left by four bits, plus its number.
func (e *edges) choose(to *predictions, src []uint8, stride int, modeEfforts *[16]int32) uint32 {
	if !cpu.Has.AVX2 {
		return e.chooseInGo(to, src, stride, modeEfforts)
	}
	return chooseVector(e, to, &src[:3*stride+4][0], stride, modeEfforts)
}

// effort16 returns the sum of the efforts of the sixteen blocks of a macroblock.
func effort16(a, b []uint8, stride int) int32 {
	if !cpu.Has.AVX2 {
		return effort16InGo(a, b, stride)
	}
	return effort16Vector(&a[:15*stride+16][0], &b[:15*stride+16][0], stride)
}
