//go:build !amd64 || purego

package decoder

func (r *boolReader) readBlock(block *[16]int16, bands *[8][3][11]uint8, context, first int, step *[2]int32) int {
	return r.readBlockInGo(block, bands, context, first, step)
}
