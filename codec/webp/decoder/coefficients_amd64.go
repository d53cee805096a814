//go:build !purego

package decoder

import "tileserver/internal/cpu"

// maxBlockBytes bounds the data that readBlockBMI2 reads for one block. A coefficient has at most
// 19 bits, and each bit takes at most seven bits of data. The last load may read 16 bytes more.
const maxBlockBytes = 16*19*7/8 + 16

// readBlockBMI2 is the assembly twin of readBlockInGo. It does not check for the end of the data.
// It uses LZCNT, which every processor with BMI2 has.
//
//go:noescape
func readBlockBMI2(r *boolReader, block *[16]int16, bands *[8][3][11]uint8, context, first int, step *[2]int32) int

func (r *boolReader) readBlock(block *[16]int16, bands *[8][3][11]uint8, context, first int, step *[2]int32) int {
	if cpu.Has.BMI2 && len(r.data)-r.at >= maxBlockBytes {
		return readBlockBMI2(r, block, bands, context, first, step)
	}
	return r.readBlockInGo(block, bands, context, first, step)
}
