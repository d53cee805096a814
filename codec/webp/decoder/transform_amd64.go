//go:build !purego

package decoder

import (
	"tileserver/codec/webp/vp8"
	"tileserver/internal/cpu"
)

// addBlockVector is the assembly twin of vp8.AddBlock. It checks no bounds.
//
//go:noescape
func addBlockVector(dst *uint8, stride int, in *[16]int16)

func addWhole(dst []uint8, stride int, in *[16]int16) {
	if cpu.Has.AVX2 {
		addBlockVector(&dst[:3*stride+4][0], stride, in)
		return
	}
	vp8.AddBlock(dst, stride, in)
}
