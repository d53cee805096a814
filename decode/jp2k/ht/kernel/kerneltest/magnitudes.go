package kerneltest

import (
	"math/bits"

	"tileserver/gpu"
	"tileserver/gpu/gputest"
)

// sharing is how many invocations share a code-block.
const sharing = 32

// maxColumns is how many quads a row has at most.
const maxColumns = 512

// magnitudeReader is what the invocations of a workgroup know.
type magnitudeReader struct {
	invocation
	magSgn, magRef stream

	position  uint32 // of the first bit of a row
	isDamaged bool

	// exponents has the lengths of the numbers of the lower samples of quads in the row above, eight bits each.
	// They predict the length of the samples below them. Before and behind them is an empty quad.
	exponents [maxColumns + 2]uint32
}

// decodeMagnitudes decodes the samples of a code-block, row by row of quads. Each invocation has a span of each
// row.
func decodeMagnitudes(index int, m *gputest.Memory) {
	r := magnitudeReader{invocation: begin(index, m)}
	r.magSgn, r.magRef = r.streamOf(magSgnStream, ^uint32(0)), r.streamOf(magRefStream, 0)
	for row := range r.rows {
		var lengths [sharing]uint32
		for lane := range uint32(sharing) {
			lengths[lane] = r.predictSpan(lane, row)
		}
		for lane := range uint32(sharing) {
			r.decodeSpan(lane, row, r.position)
			r.position += lengths[lane]
		}
	}
	m.Output[index] = gpu.Done
	if r.isDamaged {
		m.Output[index] = gpu.Damaged
	}
}

// spanOf returns the columns of an invocation.
func (r *magnitudeReader) spanOf(lane uint32) (first, end uint32) {
	count := (r.columns + sharing - 1) / sharing
	return min(lane*count, r.columns), min((lane+1)*count, r.columns)
}

// predictSpan finds the U of the quads of a span. It returns the length of their numbers.
func (r *magnitudeReader) predictSpan(lane, row uint32) (length uint32) {
	first, end := r.spanOf(lane)
	for column := first; column < end; column++ {
		at := r.quadAt(column, row)
		quad := r.Scratch[at] + r.prediction(r.Scratch[at], column)<<upperBit
		if quad>>upperBit > r.job.bound {
			r.isDamaged = true
		}
		r.Scratch[at] = quad
		for i := range uint32(4) {
			length += lengthOf(quad, i)
		}
	}
	return length
}

// prediction returns the predicted exponent of a quad. It is one less than the length of the longest of the
// four numbers above, if more than one sample of the quad is significant, and at least 1.
func (r *magnitudeReader) prediction(quad, column uint32) uint32 {
	above := r.exponents[column+1]
	longest := max(r.exponents[column]>>8, above&255, above>>8, r.exponents[column+2]&255)
	if onesIn(quad&15) < 2 {
		return 1
	}
	return max(longest, 2) - 1
}

// lengthOf returns how many bits of a sample are in the stream.
func lengthOf(quad, i uint32) uint32 {
	return (quad>>upperBit - quad>>(knownBit+i)&1) & 31 * (quad >> i & 1)
}

// decodeSpan decodes the samples of a span, whose numbers begin at a position.
func (r *magnitudeReader) decodeSpan(lane, row, position uint32) {
	first, end := r.spanOf(lane)
	for column := first; column < end; column++ {
		quad := r.Scratch[r.quadAt(column, row)]
		var values, numbers [4]uint32
		for i := range uint32(4) {
			length := lengthOf(quad, i)
			coded := r.bitsAt(r.magSgn, position)&(1<<length-1) | quad>>(onesBit+i)&1<<length
			position += length
			if quad>>i&1 != 0 {
				numbers[i] = coded | 1
				values[i] = withSign((numbers[i]+2)<<r.job.plane, coded&1)
			}
		}
		r.exponents[column+1] = lengthOfNumber(numbers[1]) | lengthOfNumber(numbers[3])<<8
		if r.job.passes > 1 {
			values = r.refine(column, row, values)
		}
		r.store(column, row, values)
	}
}

func lengthOfNumber(number uint32) uint32 { return uint32(bits.Len32(number)) }

// withSign returns a value, or its negative.
func withSign(value, isNegative uint32) uint32 { return (value ^ -isNegative) + isNegative }

// refine adds to the samples of a quad what the other passes say of them.
func (r *magnitudeReader) refine(column, row uint32, values [4]uint32) [4]uint32 {
	group, stripe := column/2, row/2
	fresh := r.Scratch[r.groupAt(freshField, group, stripe)]
	signs := fresh >> 16
	fresh &= groupMask
	found := r.Scratch[r.groupAt(knownField, group, stripe)] &^ fresh
	coded := r.bitsAt(r.magRef, r.Scratch[r.groupAt(refinedField, group, stripe)])
	half := uint32(1) << (r.job.plane - 1)
	for i := range uint32(4) {
		slot := 8*(column%2) + 4*(i/2) + 2*(row%2) + i%2
		before := uint32(1)<<slot - 1
		if fresh>>slot&1 != 0 {
			values[i] = withSign(3*half, signs>>onesIn(fresh&before)&1)
		} else if r.job.passes > 2 && found>>slot&1 != 0 {
			isLess := ^coded >> onesIn(found&before) & 1
			values[i] += withSign(half, isLess^values[i]>>31)
		}
	}
	return values
}

// store writes the samples of a quad.
func (r *magnitudeReader) store(column, row uint32, values [4]uint32) {
	x := 2 * column
	for i := range uint32(2) {
		y := 2*row + i
		if y >= r.job.height {
			continue
		}
		at, left, right := y*r.job.width+x, values[i], values[i+2]
		switch {
		case r.job.isShort != 0:
			r.Output[r.job.output+at/2] = left&0xFFFF | right<<16
			if isLong(left) || isLong(right) {
				r.isDamaged = true // no sound block has such samples
			}
		case x+1 < r.job.width:
			r.Output[r.job.output+at+1] = right
			fallthrough
		default:
			r.Output[r.job.output+at] = left
		}
	}
}

// isLong reports whether a value has more than 16 bits.
func isLong(value uint32) bool { return value+0x8000 > 0xFFFF }
