//go:build !amd64 || purego

package decoder

func addWhole(dst []uint8, stride int, in *[16]int16) { addWholeInGo(dst, stride, in) }
