//go:build !purego

package lossy

import (
	"tileserver/codec/webp/vp8"
	"tileserver/internal/cpu"
)

// The assembly checks no bounds; the functions in this file check them.

//go:noescape
func distances16Vector(n *neighbors, src *uint8, stride int, sums *[vp8.WholeModes]int32)

//go:noescape
func distances8Vector(u, v *neighbors, srcU, srcV *uint8, stride int, sums *[vp8.WholeModes]int32)

//go:noescape
func predict16Vector(n *neighbors, dst *uint8, stride int, takeAbove, takeLeft, constant int16)

//go:noescape
func predict8Vector(n *neighbors, dst *uint8, stride int, takeAbove, takeLeft, constant int16)

// distances16 computes the sum of squared differences of luma for each mode.
func distances16(sums *[vp8.WholeModes]int32, n *neighbors, src []uint8, stride int) {
	if !cpu.Has.AVX2 {
		distances16InGo(sums, n, src, stride)
		return
	}
	distances16Vector(n, &src[:15*stride+16][0], stride, sums)
}

func distances8(sums *[vp8.WholeModes]int32, u, v *neighbors, srcU, srcV []uint8, stride int) {
	if !cpu.Has.AVX2 {
		distances8InGo(sums, u, v, srcU, srcV, stride)
		return
	}
	distances8Vector(u, v, &srcU[:7*stride+8][0], &srcV[:7*stride+8][0], stride, sums)
}

// predict writes the prediction of a square.
func (n *neighbors) predict(dst []uint8, stride int, m vp8.Mode) {
	if !cpu.Has.AVX2 {
		n.predictInGo(dst, stride, m)
		return
	}
	var takeAbove, takeLeft, constant int16
	switch m {
	case vp8.ModeVertical:
		takeAbove = -1
	case vp8.ModeHorizontal:
		takeLeft = -1
	case vp8.ModeTrueMotion:
		takeAbove, takeLeft, constant = -1, -1, -int16(n.corner)
	default:
		constant = int16(n.mean)
	}
	if first := &dst[:(n.size-1)*stride+n.size][0]; n.size == 16 {
		predict16Vector(n, first, stride, takeAbove, takeLeft, constant)
	} else {
		predict8Vector(n, first, stride, takeAbove, takeLeft, constant)
	}
}
