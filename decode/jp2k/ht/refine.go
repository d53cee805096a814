package ht

import (
	"encoding/binary"
	"math/bits"
)

// refinedBytes is what 4096 samples take of either pass at most: two bits each of the significance propagation, one of the other.
const refinedBytes = 2 * MaxSamples / 8

// refiner reads the plane below that of the cleanup pass.
type refiner struct {
	stripes     [3]stripe // above, here, below: in turn
	propagation bitStream
	refinement  bitStream

	half int32 // of the step of the cleanup pass, with the fraction bit
}

// bitStream is one that was unstuffed.
type bitStream struct {
	bytes    [refinedBytes + streamPadding]byte
	end      int // behind it is filling
	position uint
}

// fetch gives the next 57 bits at least.
func (s *bitStream) fetch() uint64 {
	return binary.LittleEndian.Uint64(s.bytes[min(s.position>>3, uint(s.end)):]) >> (s.position & 7)
}

// refine is the significance propagation and, where there is one, the magnitude refinement.
func (d *Decoder) refine(b *Block, step int, out []int32) {
	r := &d.refiner
	r.begin(b)
	above, here, below := &r.stripes[0], &r.stripes[1], &r.stripes[2]
	*here = stripe{}
	below.gather(b, 0, d.pairs[:], step)
	for y := 0; y < b.Height; y += stripeRows {
		above, here, below = here, below, above
		below.gather(b, y+stripeRows, d.pairs[:], step)
		r.stripe(b, y, above, here, below, out[y*b.Width:])
	}
}

func (r *refiner) begin(b *Block) {
	r.propagation.end = (&unstuffer{to: r.propagation.bytes[:]}).forward(b.Refinement, 0)
	r.refinement.end = (&unstuffer{to: r.refinement.bytes[:]}).backward(b.Refinement, 0xFF)
	r.propagation.position, r.refinement.position = 0, 0
	r.half = 1 << (b.plane() - 1)
}

// stripe refines one, whose first sample is the first of out. What becomes significant is added to here.
func (r *refiner) stripe(b *Block, y int, above, here, below *stripe, out []int32) {
	for group := range (b.Width + groupColumns - 1) / groupColumns {
		x := group * groupColumns
		found := here[group+1]
		beneath := below.around(group)
		if b.VerticallyCausal {
			beneath = 0
		}
		beside := besideSignificant(above.around(group), here.around(group), beneath)
		here[group+1] |= r.propagate(beside, inside(b.Width-x, b.Height-y)&^found, out[x:], b.Width)
		if b.Passes > 2 {
			r.refineMagnitudes(found, out[x:], b.Width)
		}
	}
}

// propagate reads which of the candidates beside significant samples are significant themselves, so that those that follow are
// beside one too, and then their signs.
func (r *refiner) propagate(beside, candidates uint16, out []int32, width int) (significant uint16) {
	coded := r.propagation.fetch()
	for left := beside & candidates; left != 0; {
		sample := bits.TrailingZeros16(left) & 15
		left &= left - 1
		if coded&1 != 0 {
			significant |= 1 << sample
			left |= laterNeighbours[sample] & candidates
		}
		coded >>= 1
		r.propagation.position++
	}
	for left := significant; left != 0; left &= left - 1 {
		sample := bits.TrailingZeros16(left) & 15
		sign := -int32(coded & 1)
		out[sample&3*width+sample>>2] = 3*r.half ^ sign - sign
		coded >>= 1
		r.propagation.position++
	}
	return significant
}

// refineMagnitudes reads a bit more of each that the cleanup pass has found.
func (r *refiner) refineMagnitudes(found uint16, out []int32, width int) {
	coded := r.refinement.fetch()
	r.refinement.position += uint(bits.OnesCount16(found))
	for ; found != 0; found &= found - 1 {
		sample := bits.TrailingZeros16(found) & 15
		place := sample&3*width + sample>>2
		more := r.half - 2*r.half*int32(^coded&1)
		if out[place] < 0 {
			more = -more
		}
		out[place] += more
		coded >>= 1
	}
}
