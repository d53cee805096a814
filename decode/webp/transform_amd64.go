//go:build !purego

package webp

import "golang.org/x/sys/cpu"

// addBlockVector is addWholeInGo in assembly. It looks at no bounds.
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
