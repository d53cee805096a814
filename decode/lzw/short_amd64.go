//go:build !purego

package lzw

import "golang.org/x/sys/cpu"

// codesAtOnce is how many codes the assembly takes out of one load.
const codesAtOnce = 4

// writeShortBMI2 is writeShortRunInGo in assembly, for codes that begin at the highest bit. It looks at end only after
// every fourth code, and at no bounds.
//
//go:noescape
func writeShortBMI2(t *table, dst *byte, n int, src *byte, bit int, width uint, end int) int

func writeShortRun(t *table, dst []byte, n int, codes *codeReader, width uint, end int) int {
	if groups := (end - t.next) / codesAtOnce; groups > 0 && codes.highestFirst && cpu.X86.HasBMI2 {
		return writeShortBMI2(t, &dst[0], n, &codes.src[0], codes.bit, width, t.next+groups*codesAtOnce)
	}
	return writeShortRunInGo(t, dst, n, codes, width, end)
}
