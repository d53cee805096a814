package lossy

// block holds the coefficients of 4x4 samples in row-major order, or their levels in zigzag order.
type block [16]int16

// The factors of the forward transform are the square root of 2 times the cosine and the sine of
// 22.5 degrees, in units of 2^-12.
const (
	forwardCosine = 5352
	forwardSine   = 2217
)

// transformInGo transforms the differences between 4x4 samples of a and b. It is the inverse of RFC
// 6386, section 14.4.
func transformInGo(out *block, a []uint8, aStride int, b []uint8, bStride int) {
	var rows, half [16]int32
	for y := range 4 {
		ra, rb := a[y*aStride:][:4], b[y*bStride:][:4]
		for x := range 4 {
			rows[4*y+x] = int32(ra[x]) - int32(rb[x])
		}
	}
	for x := range 4 {
		outer, inner := rows[x]+rows[12+x], rows[4+x]+rows[8+x]
		innerLess, outerLess := rows[4+x]-rows[8+x], rows[x]-rows[12+x]
		half[x] = (outer + inner) * 8
		half[4+x] = (outerLess*forwardCosine + innerLess*forwardSine + 1<<8) >> 9
		half[8+x] = (outer - inner) * 8
		half[12+x] = (outerLess*forwardSine - innerLess*forwardCosine + 1<<8) >> 9
	}
	for y := range 4 {
		row := half[4*y:][:4]
		outer, inner, innerLess, outerLess := row[0]+row[3], row[1]+row[2], row[1]-row[2], row[0]-row[3]
		out[4*y] = int16((outer + inner + 8) >> 4)
		out[4*y+1] = int16((outerLess*forwardCosine + innerLess*forwardSine + 1<<15) >> 16)
		out[4*y+2] = int16((outer - inner + 8) >> 4)
		out[4*y+3] = int16((outerLess*forwardSine - innerLess*forwardCosine + 1<<15) >> 16)
	}
}

// addInGo adds the inverse transform of a block to 4x4 samples (RFC 6386, section 14.4).
func addInGo(dst []uint8, stride int, in *block) {
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

// transformWholeInGo transforms the differences between 16x16 samples, block by block.
func transformWholeInGo(out *[16]block, a, b []uint8, stride int) {
	for i := range out {
		at := i>>2*4*stride + i&3*4
		transformInGo(&out[i], a[at:], stride, b[at:], stride)
	}
}

// addWholeInGo adds the inverse transforms of sixteen blocks.
func addWholeInGo(dst []uint8, stride int, in *[16]block) {
	for i := range in {
		addInGo(dst[i>>2*4*stride+i&3*4:], stride, &in[i])
	}
}

// The factors of the inverse transform are those of the standard.

func byCosine(v int32) int32 { return v + v*20091>>16 }
func bySine(v int32) int32   { return v * 8867 >> 14 }

// clamp limits v to the range of a sample.
func clamp(v int32) uint8 {
	if uint32(v) <= 255 {
		return uint8(v)
	}
	return uint8(^(v >> 31))
}

// extractDC transforms the first coefficients of sixteen blocks to a block of DC values, and clears
// them. It is the inverse of RFC 6386, section 14.3.
func extractDC(out *block, blocks *[16]block) {
	var half [16]int32
	for y := range 4 {
		m0, m1, m2, m3 := int32(blocks[4*y][0]), int32(blocks[4*y+1][0]), int32(blocks[4*y+2][0]), int32(blocks[4*y+3][0])
		outer, inner, innerLess, outerLess := m0+m3, m1+m2, m1-m2, m0-m3
		half[4*y], half[4*y+1], half[4*y+2], half[4*y+3] = outer+inner, outerLess+innerLess, outer-inner, outerLess-innerLess
	}
	for x := range 4 {
		outer, inner := half[x]+half[12+x], half[4+x]+half[8+x]
		innerLess, outerLess := half[4+x]-half[8+x], half[x]-half[12+x]
		out[x] = int16((outer + inner + 1) >> 1)
		out[4+x] = int16((outerLess + innerLess + 1) >> 1)
		out[8+x] = int16((outer - inner + 1) >> 1)
		out[12+x] = int16((outerLess - innerLess + 1) >> 1)
	}
	for i := range blocks {
		blocks[i][0] = 0
	}
}

// distributeDC sets the first coefficients of sixteen blocks from the block of DC values, as a
// decoder does.
func distributeDC(blocks *[16]block, in *block) {
	var half [16]int32
	for i := range 4 {
		outer, inner := int32(in[i])+int32(in[12+i]), int32(in[4+i])+int32(in[8+i])
		innerLess, outerLess := int32(in[4+i])-int32(in[8+i]), int32(in[i])-int32(in[12+i])
		half[i], half[4+i], half[8+i], half[12+i] = outer+inner, outerLess+innerLess, outer-inner, outerLess-innerLess
	}
	for i := range 4 {
		row := half[4*i:][:4]
		first := row[0] + 3
		outer, inner := first+row[3], row[1]+row[2]
		innerLess, outerLess := row[1]-row[2], first-row[3]
		blocks[4*i][0] = int16((outer + inner) >> 3)
		blocks[4*i+1][0] = int16((outerLess + innerLess) >> 3)
		blocks[4*i+2][0] = int16((outer - inner) >> 3)
		blocks[4*i+3][0] = int16((outerLess - innerLess) >> 3)
	}
}
