//go:build !amd64 || purego

package lossy

// choose predicts a subblock in all modes, and returns the key of the best mode: its effort,
// shifted left by four bits, plus its number.
func (e *edges) choose(to *predictions, src []uint8, stride int, modeEfforts *[16]int32) uint32 {
	return e.chooseInGo(to, src, stride, modeEfforts)
}

// effort16 returns the sum of the efforts of the sixteen blocks of a macroblock.
func effort16(a, b []uint8, stride int) int32 { return effort16InGo(a, b, stride) }
