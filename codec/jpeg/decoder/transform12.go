package decoder

import "tileserver/codec/jpeg"

// With 12-bit samples, the values between the two passes have one binary place less, and nothing
// overflows.
const (
	columnBits12  = 1
	columnShift12 = constantBits - columnBits12
	rowShift12    = constantBits + columnBits12 + 3
	centerOf12    = 1 << 11
	maxOf12       = 1<<12 - 1
)

// transformRow12 transforms a row of blocks to 12-bit samples.
func transformRow12(out []uint16, stride int, blocks []block, _ []uint8, q *quantizer) {
	for i := range blocks {
		transformBlock12(out[jpeg.BlockSide*i:], stride, &blocks[i], q)
	}
}

func transformBlock12(out []uint16, stride int, b *block, q *quantizer) {
	var work [jpeg.BlockSize]int64 // row-major
	for i, x := range columnOrder {
		at := func(index int) int64 { return int64(b[index+2*i]) * int64(q[index+2*i]) }
		const half = 1 << (columnShift12 - 1)
		r0, r1, r2, r3, r4, r5, r6, r7 := transformLine[int64, int64](at(0), at(33), at(16), at(48), at(1), at(49), at(17), at(32))
		for y, r := range [...]int64{r0, r1, r2, r3, r4, r5, r6, r7} {
			work[jpeg.BlockSide*y+x] = (r + half) >> columnShift12
		}
	}
	*b = block{}
	for y := range jpeg.BlockSide {
		v := work[jpeg.BlockSide*y:][:jpeg.BlockSide]
		row := out[y*stride:][:jpeg.BlockSide]
		const half = 1 << (rowShift12 - 1)
		r0, r1, r2, r3, r4, r5, r6, r7 := transformLine[int64, int64](v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7])
		for x, r := range [...]int64{r0, r1, r2, r3, r4, r5, r6, r7} {
			row[x] = uint16(min(max((r+half)>>rowShift12+centerOf12, 0), maxOf12))
		}
	}
}
