package decoder

// clamp limits v to the range of a sample.
func clamp(v int32) uint8 {
	if uint32(v) <= 255 {
		return uint8(v)
	}
	return uint8(^(v >> 31))
}

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

func addWholeInGo(dst []uint8, stride int, in *[16]int16) {
	var half [16]int32
	for i := range 4 {
		a, b := int32(in[i])+int32(in[8+i]), int32(in[i])-int32(in[8+i])
		c := bySine(int32(in[4+i])) - byCosine(int32(in[12+i]))
		d := byCosine(int32(in[4+i])) + bySine(int32(in[12+i]))
		half[4*i], half[4*i+1], half[4*i+2], half[4*i+3] = a+d, b+c, b-c, a-d
	}
	for i := range 4 {
		first := half[i] + 4
		a, b := first+half[8+i], first-half[8+i]
		c := bySine(half[4+i]) - byCosine(half[12+i])
		d := byCosine(half[4+i]) + bySine(half[12+i])
		row := dst[i*stride:][:4]
		row[0] = clamp(int32(row[0]) + (a+d)>>3)
		row[1] = clamp(int32(row[1]) + (b+c)>>3)
		row[2] = clamp(int32(row[2]) + (b-c)>>3)
		row[3] = clamp(int32(row[3]) + (a-d)>>3)
	}
}

func addDC(dst []uint8, stride int, mean int32) {
	for y := range 4 {
		row := dst[y*stride:][:4]
		for x := range row {
			row[x] = clamp(int32(row[x]) + mean)
		}
	}
}

// The factors of the transform are the square root of 2 times the cosine and the sine of 22.5
// degrees. Invalid coefficients may overflow.

func byCosine(v int32) int32 { return v + v*20091>>16 }
func bySine(v int32) int32   { return v * 8867 >> 14 }
