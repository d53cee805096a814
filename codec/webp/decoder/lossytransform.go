package decoder

import "tileserver/codec/webp/vp8"

// addBlock adds the inverse transform of a block to 4x4 samples at the start of dst (RFC 6386,
// section 14.4). end is 0 if the block is zero, 1 if only its first coefficient is nonzero, and
// larger otherwise.
func addBlock(dst []uint8, stride int, in *[16]int16, end uint8) {
	switch {
	case end == 0:
	case end == 1:
		addDC(dst, stride, (int32(in[0])+4)>>3)
	default:
		addWhole(dst, stride, in)
	}
}

func addDC(dst []uint8, stride int, mean int32) {
	for y := range 4 {
		row := dst[y*stride:][:4]
		for x := range row {
			row[x] = vp8.Clamp(int32(row[x]) + mean)
		}
	}
}
