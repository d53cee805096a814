package jpeg

// The inverse transform is libjpeg's accurate one, by Loeffler, Ligtenberg and Moschytz, to the bit: with constants of
// constantBits binary places, first of the columns and then of the rows.
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

// In 8 bits, the intermediate results have columnBits8 binary places and fit into 16 bits, so that machines with vectors
// of those do eight at a time.
const (
	columnBits8    = 2
	columnShift8   = constantBits - columnBits8
	rowShift8      = constantBits + columnBits8 + 3
	centerOf8      = 128
	flatRoundShift = columnBits8 + 3
)

// transformRow8Go transforms a row of blocks to samples of 8 bits.
func transformRow8Go(out []uint8, stride int, blocks []block, lasts []uint8, q *quantizer) {
	for i := range blocks {
		if lasts[i] == 0 {
			flatBlock8(out[blockSide*i:], stride, &blocks[i], q)
		} else {
			transformBlock8Go(out[blockSide*i:], stride, &blocks[i], q)
		}
	}
}

// flatBlock8 is for a block of nothing but its first coefficient.
func flatBlock8(out []uint8, stride int, b *block, q *quantizer) {
	mean := int32(saturate16(int32(b[0]*int16(q[0])) << columnBits8))
	b[0] = 0
	sample := clamp8((mean + 1<<(flatRoundShift-1)) >> flatRoundShift)
	for y := range blockSide {
		row := out[y*stride:][:blockSide]
		for x := range row {
			row[x] = sample
		}
	}
}

// transformBlock8Go has the very widths of the assembly, and overflows as it does.
func transformBlock8Go(out []uint8, stride int, b *block, q *quantizer) {
	var work [blockSide][blockSide]int16
	for x := range blockSide {
		var column [blockSide]int16
		for y := range column {
			place := blockPlaces[y][x]
			column[y] = b[place] * int16(q[place])
		}
		for y, v := range transformLine[int16, int32](&column, 1<<(columnShift8-1)) {
			work[y][x] = saturate16(v >> columnShift8)
		}
	}
	for y := range work {
		row := out[y*stride:][:blockSide]
		for x, v := range transformLine[int16, int32](&work[y], 1<<(rowShift8-1)) {
			row[x] = clamp8(v >> rowShift8)
		}
	}
	*b = block{}
}

// transformLine is the transform of one row or column, with something added for rounding. Where the numbers are narrow,
// the sums of two overflow as those of vectors do.
func transformLine[N int16 | int64, W int32 | int64](in *[blockSide]N, rounding W) [blockSide]W {
	v := func(i int) W { return W(in[i]) }
	middle, swing := (v(0)+v(4))<<constantBits+rounding, (v(0)-v(4))<<constantBits+rounding
	even2 := v(2)*fix0_541196100 + v(6)*(fix0_541196100-fix1_847759065)
	even3 := v(2)*(fix0_541196100+fix0_765366865) + v(6)*fix0_541196100
	e0, e3 := middle+even3, middle-even3
	e1, e2 := swing+even2, swing-even2

	z3, z4 := W(in[7]+in[3]), W(in[1]+in[5])
	w3 := z3*(fix1_175875602-fix1_961570560) + z4*fix1_175875602
	w4 := z3*fix1_175875602 + z4*(fix1_175875602-fix0_390180644)
	o0 := v(7)*(fix0_298631336-fix0_899976223) - v(1)*fix0_899976223 + w3
	o1 := v(5)*(fix2_053119869-fix2_562915447) - v(3)*fix2_562915447 + w4
	o2 := v(3)*(fix3_072711026-fix2_562915447) - v(5)*fix2_562915447 + w3
	o3 := v(1)*(fix1_501321110-fix0_899976223) - v(7)*fix0_899976223 + w4
	return [blockSide]W{e0 + o3, e1 + o2, e2 + o1, e3 + o0, e3 - o0, e2 - o1, e1 - o2, e0 - o3}
}

func saturate16(v int32) int16 { return int16(min(max(v, -1<<15), 1<<15-1)) }

// clamp8 makes a sample of a value around 0.
func clamp8(v int32) uint8 { return uint8(min(max(v+centerOf8, 0), 255)) }
