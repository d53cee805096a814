package encoder

import "tileserver/codec/jpeg"

const ()

// The forward cosine transform is that of Arai, Agui and Nakajima, in integers without shifts. Its
// few multiplications use fractions with a common denominator. The denominator remains in the
// result as a scale, which the quantization removes.
//
// The transform is linear, so a word with one value in each half is transformed like a single
// number. A negative lower half borrows from the upper one, and splitting the halves compensates
// that. No result exceeds 31 bits: 255 grows by less than 2^7 in both passes together, and by
// oddScale twice.
const (
	evenScale = 99 // of the coefficients 2 and 6
	evenDiag  = 70 // cos(pi/4)

	oddScale = 290 // of the coefficients 1, 3, 5 and 7
	oddDiag  = 205 // cos(pi/4)
	oddCos   = 268 // cos(pi/8)
	oddSin   = 111 // sin(pi/8)
)

// words holds 8 x 8 samples from 0 to 255, two per word. Word 4*y+x holds the sample of column x in
// its lower half and that of column x+4 in its upper half.
type words [32]int64

// coefficients holds scaled coefficients in natural order.
type coefficients [jpeg.BlockSize]int32

// transformRowGo computes the blocks of adjacent 8 x 8 samples.
func transformRowGo(blocks []block, samples []uint8, stride int, q *quantizer) {
	const center = jpeg.BlockSize * 128 // shifts the samples to around zero
	var words words
	var coefficients coefficients
	for i := range blocks {
		words.load(samples[jpeg.BlockSide*i:], stride)
		if words.areFlat() {
			mean := q.divisors[0].quotient(jpeg.BlockSize*int32(words[0]&0xff) - center)
			blocks[i] = block{coefficients: [jpeg.BlockSize]int16{int16(mean)}}
			if mean != 0 {
				blocks[i].nonzero = 1
			}
			continue
		}
		transform(&coefficients, &words)
		coefficients[0] -= center
		q.quantize(&blocks[i], &coefficients)
	}
}

func (w *words) load(samples []uint8, stride int) {
	for y := range jpeg.BlockSide {
		row := (*[jpeg.BlockSide]byte)(samples[y*stride:])
		for x, out := 0, (*[4]int64)(w[4*y:]); x < 4; x++ {
			out[x] = int64(row[x]) | int64(row[x+4])<<32
		}
	}
}

func (w *words) areFlat() bool {
	first := w[0]
	if first>>32 != first&0xff {
		return false
	}
	for _, word := range w {
		if word != first {
			return false
		}
	}
	return true
}

// transform8 transforms eight values, or eight words of two values.
func transform8(x0, x1, x2, x3, x4, x5, x6, x7 int64) (y0, y1, y2, y3, y4, y5, y6, y7 int64) {
	s0, s1, s2, s3 := x0+x7, x1+x6, x2+x5, x3+x4
	d0, d1, d2, d3 := x0-x7, x1-x6, x2-x5, x3-x4

	outer, inner := s0+s3, s1+s2
	y0, y4 = outer+inner, outer-inner
	outer, inner = s0-s3, s1-s2
	diagonal := evenDiag * (outer + inner)
	outer *= evenScale
	y2, y6 = outer+diagonal, outer-diagonal

	low, middle, high := d3+d2, d2+d1, d1+d0
	diagonal = oddDiag * middle
	d0 *= oddScale
	sum, difference := d0+diagonal, d0-diagonal
	across, along := oddCos*low-oddSin*high, oddSin*low+oddCos*high
	y1, y7 = sum+along, sum-along
	y5, y3 = difference+across, difference-across
	return
}

// transform computes the scaled coefficients of a block.
func transform(out *coefficients, samples *words) {
	var vertical words // word 4*v+x: frequency v of the columns x and x+4
	for x := range 4 {
		y0, y1, y2, y3, y4, y5, y6, y7 := transform8(
			samples[x], samples[x+4], samples[x+8], samples[x+12],
			samples[x+16], samples[x+20], samples[x+24], samples[x+28])
		vertical[x], vertical[x+4], vertical[x+8], vertical[x+12] = y0, y1, y2, y3
		vertical[x+16], vertical[x+20], vertical[x+24], vertical[x+28] = y4, y5, y6, y7
	}
	for v := range 4 {
		upper, lower := (*[4]int64)(vertical[4*v:]), (*[4]int64)(vertical[4*v+16:])
		x0, x4 := regroup(upper[0], lower[0])
		x1, x5 := regroup(upper[1], lower[1])
		x2, x6 := regroup(upper[2], lower[2])
		x3, x7 := regroup(upper[3], lower[3])
		y0, y1, y2, y3, y4, y5, y6, y7 := transform8(x0, x1, x2, x3, x4, x5, x6, x7)
		upperRow, lowerRow := (*[8]int32)(out[8*v:]), (*[8]int32)(out[8*v+32:])
		upperRow[0], lowerRow[0] = halves(y0)
		upperRow[1], lowerRow[1] = halves(y1)
		upperRow[2], lowerRow[2] = halves(y2)
		upperRow[3], lowerRow[3] = halves(y3)
		upperRow[4], lowerRow[4] = halves(y4)
		upperRow[5], lowerRow[5] = halves(y5)
		upperRow[6], lowerRow[6] = halves(y6)
		upperRow[7], lowerRow[7] = halves(y7)
	}
}

// regroup takes two words with columns x and x+4 of two rows. It returns one word with column x of
// both rows, and one with column x+4.
func regroup(upper, lower int64) (left, right int64) {
	upperLeft, lowerLeft := int64(int32(upper)), int64(int32(lower))
	return upperLeft + lower<<32, (upper-upperLeft)>>32 + lower - lowerLeft
}

func halves(word int64) (lower, upper int32) {
	lower = int32(word)
	return lower, int32((word - int64(lower)) >> 32)
}
