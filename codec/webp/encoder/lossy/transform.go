package lossy

import "tileserver/codec/webp/vp8"

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
		vp8.AddBlock(dst[i>>2*4*stride+i&3*4:], stride, (*[16]int16)(&in[i]))
	}
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
