//go:build !amd64 || purego

package lossy

// choose predicts a subblock in all modes, and returns the key of the best: the effort for it, and below that four bits
// of its number.
func (e *edges) choose(to *predictions, src []uint8, stride int, modeEfforts *[16]int32) uint32 {
	return e.chooseInGo(to, src, stride, modeEfforts)
}

// effort16 is the effort for the sixteen blocks of a macroblock.
func effort16(a, b []uint8, stride int) int32 { return effort16InGo(a, b, stride) }
