//go:build !purego

package lzw

import "tileserver/internal/cpu"

// codesPerLoad is the number of codes that the assembly extracts from one load.
const codesPerLoad = 4

// writeShortBMI2 is the assembly twin of writeShortRunInGo, for codes that start at the highest
// bit. It compares with end only after every fourth code, and checks no bounds.
//
//go:noescape
func writeShortBMI2(t *table, dst *byte, n int, src *byte, bit int, width uint, end int) int

func writeShortRun(t *table, dst []byte, n int, codes *codeReader, width uint, end int) int {
	if groups := (end - t.next) / codesPerLoad; groups > 0 && codes.highestFirst && cpu.Has.BMI2 {
		return writeShortBMI2(t, &dst[0], n, &codes.src[0], codes.bit, width, t.next+groups*codesPerLoad)
	}
	return writeShortRunInGo(t, dst, n, codes, width, end)
}
