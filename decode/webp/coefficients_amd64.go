//go:build !purego

package webp

import "golang.org/x/sys/cpu"

// longestBlock is more bytes than the coefficients of a block can take, and what is loaded with the last of them: a
// coefficient has at most 19 bits, each of which takes at most seven of the data.
const longestBlock = 16*19*7/8 + 16

// readBlockBMI2 is readBlockInGo in assembly. It looks for no end of the data. LZCNT is there where BMI2 is.
//
//go:noescape
func readBlockBMI2(r *boolReader, block *[16]int16, bands *[8][3][11]uint8, before, first int, step *[2]int32) int

func (r *boolReader) readBlock(block *[16]int16, bands *[8][3][11]uint8, before, first int, step *[2]int32) int {
	if cpu.X86.HasBMI2 && len(r.data)-r.at >= longestBlock {
		return readBlockBMI2(r, block, bands, before, first, step)
	}
	return r.readBlockInGo(block, bands, before, first, step)
}
