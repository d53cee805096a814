package kerneltest

// The inverse transform equals libjpeg's accurate one. Constants have constantBits binary places, what columns
// are transformed to has two.
const (
	constantBits = 13
	columnShift  = 11
	rowShift     = 18

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

// line is a row or a column: its first four numbers and the others.
type line struct{ low, high [4]int32 }

// transformLine transforms a line of numbers of 16 bits. Sums of two of them wrap, as on the cores.
func transformLine(v line) line {
	v0, v1, v2, v3 := v.low[0], v.low[1], v.low[2], v.low[3]
	v4, v5, v6, v7 := v.high[0], v.high[1], v.high[2], v.high[3]
	middle, swing := (v0+v4)<<constantBits, (v0-v4)<<constantBits
	even2 := v2*fix0_541196100 + v6*(fix0_541196100-fix1_847759065)
	even3 := v2*(fix0_541196100+fix0_765366865) + v6*fix0_541196100
	even := [4]int32{middle + even3, swing + even2, swing - even2, middle - even3}

	z3, z4 := int32(int16(v7+v3)), int32(int16(v1+v5))
	w3 := z3*(fix1_175875602-fix1_961570560) + z4*fix1_175875602
	w4 := z3*fix1_175875602 + z4*(fix1_175875602-fix0_390180644)
	odd := [4]int32{
		v1*(fix1_501321110-fix0_899976223) - v7*fix0_899976223 + w4,
		v3*(fix3_072711026-fix2_562915447) - v5*fix2_562915447 + w3,
		v5*(fix2_053119869-fix2_562915447) - v3*fix2_562915447 + w4,
		v7*(fix0_298631336-fix0_899976223) - v1*fix0_899976223 + w3,
	}
	var made line
	for i := range even {
		made.low[i], made.high[3-i] = even[i]+odd[i], even[i]-odd[i]
	}
	return made
}

// rounded returns numbers without some binary places.
func rounded(numbers [4]int32, places int) [4]int32 {
	for i := range numbers {
		numbers[i] = (numbers[i] + 1<<(places-1)) >> places
	}
	return numbers
}

// saturated returns numbers of 16 bits, of which the closest are taken.
func saturated(numbers [4]int32) [4]int32 {
	for i := range numbers {
		numbers[i] = min(max(numbers[i], -1<<15), 1<<15-1)
	}
	return numbers
}

// samplesOf returns four samples in a word.
func samplesOf(numbers [4]int32) (word uint32) {
	for i, number := range rounded(numbers, rowShift) {
		word |= uint32(min(max(number+128, 0), 255)) << (8 * i)
	}
	return word
}

// pair returns the halves of a word as signed numbers.
func pair(word uint32) (low, high int32) { return int32(int16(word)), int32(word) >> 16 }

// word returns the word of two numbers.
func word(low, high int32) uint32 { return uint32(low)&0xFFFF | uint32(high)<<16 }

// transformColumns transforms two columns of a block in place, whose coefficients share words.
func (v *invocation) transformColumns(first uint32) {
	var left, right line
	for y := range uint32(4) {
		left.low[y], right.low[y] = pair(v.Scratch[first+4*y])
		left.high[y], right.high[y] = pair(v.Scratch[first+4*y+16])
	}
	left, right = transformColumn(left), transformColumn(right)
	for y := range uint32(4) {
		v.Scratch[first+4*y] = word(left.low[y], right.low[y])
		v.Scratch[first+4*y+16] = word(left.high[y], right.high[y])
	}
}

func transformColumn(column line) line {
	made := transformLine(column)
	return line{saturated(rounded(made.low, columnShift)), saturated(rounded(made.high, columnShift))}
}

// transformRow transforms a row of a block to samples.
func (v *invocation) transformRow(first, to uint32) {
	var row line
	row.low[0], row.low[1] = pair(v.Scratch[first])
	row.low[2], row.low[3] = pair(v.Scratch[first+1])
	row.high[0], row.high[1] = pair(v.Scratch[first+2])
	row.high[2], row.high[3] = pair(v.Scratch[first+3])
	made := transformLine(row)
	v.Output[to], v.Output[to+1] = samplesOf(made.low), samplesOf(made.high)
}
