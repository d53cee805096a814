package decoder

import "tileserver/codec/jpeg"

// The inverse transform equals libjpeg's accurate integer transform (Loeffler, Ligtenberg and
// Moschytz) bit for bit. Constants have constantBits binary places. Columns are transformed first,
// then rows.
const (
	constantBits = 13

	fix0_298631336 = 2446
	fix0_390180644 = 3196
	fix0_541196100 = 4433
	fix0_765366865 = 6270
	fix0_899976223 = 7373
	fix1_175875602 = 9633
	fix1_501321110 = 12299
	fix1_847759065 = 15137
	fix1_961570560 = 16069
	fix2_053119869 = 16819
	fix2_562915447 = 20995
	fix3_072711026 = 25172
)

// With 8-bit samples, the values between the two passes have columnBits8 binary places and fit into
// 16 bits. Vector instructions can therefore process eight values at a time.
const (
	columnBits8    = 2
	columnShift8   = constantBits - columnBits8
	rowShift8      = constantBits + columnBits8 + 3
	centerOf8      = 128
	flatRoundShift = columnBits8 + 3
)

// transformRow8Go transforms a row of blocks to 8-bit samples.
func transformRow8Go(out []uint8, stride int, blocks []block, lastIndexes []uint8, q *quantizer) {
	for i := range blocks {
		if lastIndexes[i] == 0 {
			flatBlock8(out[jpeg.BlockSide*i:], stride, &blocks[i], q)
		} else {
			transformBlock8Go(out[jpeg.BlockSide*i:], stride, &blocks[i], q)
		}
	}
}

// flatBlock8 transforms a block whose only nonzero coefficient is the first.
func flatBlock8(out []uint8, stride int, b *block, q *quantizer) {
	mean := int32(saturate16(int32(b[0]*int16(q[0])) << columnBits8))
	b[0] = 0
	sample := clamp8((mean + 1<<(flatRoundShift-1)) >> flatRoundShift)
	for y := range jpeg.BlockSide {
		row := out[y*stride:][:jpeg.BlockSide]
		for x := range row {
			row[x] = sample
		}
	}
}

// transformBlock8Go transforms one block. It uses the integer widths of transformVector, and
// overflows in the same way.
func transformBlock8Go(out []uint8, stride int, b *block, q *quantizer) {
	var work [jpeg.BlockSize]int16 // row-major
	for i, x := range columnOrder {
		at := func(index int) int16 { return b[index+2*i] * int16(q[index+2*i]) }
		v0, v4, v2, v6 := at(0), at(1), at(16), at(17)
		v7, v1, v3, v5 := at(32), at(33), at(48), at(49)
		column := work[x:]
		if v1|v2|v3|v4|v5|v6|v7 == 0 {
			flat := saturate16(int32(v0) << columnBits8)
			for y := range jpeg.BlockSide {
				column[jpeg.BlockSide*y] = flat
			}
			continue
		}
		const half = 1 << (columnShift8 - 1)
		r0, r1, r2, r3, r4, r5, r6, r7 := transformLine[int16, int32](v0, v1, v2, v3, v4, v5, v6, v7)
		for y, r := range [...]int32{r0, r1, r2, r3, r4, r5, r6, r7} {
			column[jpeg.BlockSide*y] = saturate16((r + half) >> columnShift8)
		}
	}
	*b = block{}
	for y := range jpeg.BlockSide {
		v := work[jpeg.BlockSide*y:][:jpeg.BlockSide]
		row := out[y*stride:][:jpeg.BlockSide]
		const half = 1 << (rowShift8 - 1)
		r0, r1, r2, r3, r4, r5, r6, r7 := transformLine[int16, int32](v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7])
		row[0], row[1] = clamp8((r0+half)>>rowShift8), clamp8((r1+half)>>rowShift8)
		row[2], row[3] = clamp8((r2+half)>>rowShift8), clamp8((r3+half)>>rowShift8)
		row[4], row[5] = clamp8((r4+half)>>rowShift8), clamp8((r5+half)>>rowShift8)
		row[6], row[7] = clamp8((r6+half)>>rowShift8), clamp8((r7+half)>>rowShift8)
	}
}

// transformLine transforms one row or column. With narrow numbers, sums of two inputs wrap as they
// do in vector registers. Eight separate variables stay in registers, while an array would not.
func transformLine[N int16 | int64, W int32 | int64](v0, v1, v2, v3, v4, v5, v6, v7 N) (r0, r1, r2, r3, r4, r5, r6, r7 W) {
	middle, swing := (W(v0)+W(v4))<<constantBits, (W(v0)-W(v4))<<constantBits
	even2 := W(v2)*fix0_541196100 + W(v6)*(fix0_541196100-fix1_847759065)
	even3 := W(v2)*(fix0_541196100+fix0_765366865) + W(v6)*fix0_541196100
	e0, e3 := middle+even3, middle-even3
	e1, e2 := swing+even2, swing-even2

	z3, z4 := W(v7+v3), W(v1+v5)
	w3 := z3*(fix1_175875602-fix1_961570560) + z4*fix1_175875602
	w4 := z3*fix1_175875602 + z4*(fix1_175875602-fix0_390180644)
	o0 := W(v7)*(fix0_298631336-fix0_899976223) - W(v1)*fix0_899976223 + w3
	o1 := W(v5)*(fix2_053119869-fix2_562915447) - W(v3)*fix2_562915447 + w4
	o2 := W(v3)*(fix3_072711026-fix2_562915447) - W(v5)*fix2_562915447 + w3
	o3 := W(v1)*(fix1_501321110-fix0_899976223) - W(v7)*fix0_899976223 + w4
	return e0 + o3, e1 + o2, e2 + o1, e3 + o0, e3 - o0, e2 - o1, e1 - o2, e0 - o3
}

func saturate16(v int32) int16 { return int16(min(max(v, -1<<15), 1<<15-1)) }

// clamp8 converts a value around 0 to a sample.
func clamp8(v int32) uint8 { return uint8(min(max(v+centerOf8, 0), 255)) }
