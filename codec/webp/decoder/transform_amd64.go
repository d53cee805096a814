//go:build !purego

package decoder

import "golang.org/x/sys/cpu"

// addBlockVector is the assembly twin of addWholeInGo. It checks no bounds.
//
//go:noescape
func addBlockVector(dst *uint8, stride int, in *[16]int16)

func addWhole(dst []uint8, stride int, in *[16]int16) {
	if cpu.X86.HasAVX2 {
		addBlockVector(&dst[:3*stride+4][0], stride, in)
		return
	}
	addWholeInGo(dst, stride, in)
}
