package vp8

// Clamp limits v to the range of a sample.
func Clamp(v int32) uint8 {
	if uint32(v) <= 255 {
		return uint8(v)
	}
	return uint8(^(v >> 31))
}

// AddBlock adds the inverse transform of a block of coefficients to 4x4 samples at the start of dst
// (RFC 6386, section 14.4). An encoder must predict from the samples that a decoder gets, so both
// call it.
func AddBlock(dst []uint8, stride int, in *[16]int16) {
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
		row[0] = Clamp(int32(row[0]) + (a+d)>>3)
		row[1] = Clamp(int32(row[1]) + (b+c)>>3)
		row[2] = Clamp(int32(row[2]) + (b-c)>>3)
		row[3] = Clamp(int32(row[3]) + (a-d)>>3)
	}
}

// The factors of the transform are the square root of 2 times the cosine and the sine of 22.5
// degrees. Invalid coefficients may overflow.

func byCosine(v int32) int32 { return v + v*20091>>16 }
func bySine(v int32) int32   { return v * 8867 >> 14 }
