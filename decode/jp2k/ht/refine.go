package ht

import (
	"encoding/binary"
	"math/bits"
)

// maxRefinementBytes is the maximum size of each refining pass of 4096 samples: significance
// propagation has two bits per sample, magnitude refinement one.
const maxRefinementBytes = 2 * MaxSamples / 8

// refiner decodes the bit-plane below the plane of the cleanup pass.
type refiner struct {
	stripes     [3]stripe // above, here and below, in rotation
	propagation bitStream
	refinement  bitStream

	half int32 // half of the step of the cleanup pass, in units of the fraction bit
}

// bitStream is an unstuffed stream.
type bitStream struct {
	bytes    [maxRefinementBytes + streamPadding]byte
	end      int // only filling follows
	position uint
}

// fetch returns at least 57 bits.
func (s *bitStream) fetch() uint64 {
	return binary.LittleEndian.Uint64(s.bytes[min(s.position>>3, uint(s.end)):]) >> (s.position & 7)
}

// refine decodes significance propagation and, if present, magnitude refinement.
func (d *Decoder) refine(b *Block, stride int, out []int32) {
	r := &d.refiner
	r.begin(b)
	above, here, below := &r.stripes[0], &r.stripes[1], &r.stripes[2]
	*here = stripe{}
	below.gather(b, 0, d.pairs[:], stride)
	for y := 0; y < b.Height; y += stripeRows {
		above, here, below = here, below, above
		below.gather(b, y+stripeRows, d.pairs[:], stride)
		r.stripe(b, y, above, here, below, out[y*b.Width:])
	}
}

func (r *refiner) begin(b *Block) {
	r.propagation.end = (&unstuffer{to: r.propagation.bytes[:]}).forward(b.Refinement, 0)
	r.refinement.end = (&unstuffer{to: r.refinement.bytes[:]}).backward(b.Refinement, 0xFF)
	r.propagation.position, r.refinement.position = 0, 0
	r.half = 1 << (b.plane() - 1)
}

// stripe refines the stripe at row y; out begins with its first sample. It adds the samples that
// become significant to here.
func (r *refiner) stripe(b *Block, y int, above, here, below *stripe, out []int32) {
	for group := range (b.Width + groupColumns - 1) / groupColumns {
		x := group * groupColumns
		found := here[group+1]
		beneath := below.around(group)
		if b.VerticallyCausal {
			beneath = 0
		}
		beside := nearSignificant(above.around(group), here.around(group), beneath)
		here[group+1] |= r.propagate(beside, inside(b.Width-x, b.Height-y)&^found, out[x:], b.Width)
		if b.Passes > 2 {
			r.refineMagnitudes(found, out[x:], b.Width)
		}
	}
}

// propagate decodes which candidates become significant, and then their signs. A candidate is
// decoded if it has a significant neighbor, so each new significant sample adds candidates.
func (r *refiner) propagate(beside, candidates uint16, out []int32, width int) (significant uint16) {
	coded := r.propagation.fetch()
	for left := beside & candidates; left != 0; {
		sample := bits.TrailingZeros16(left) & 15
		left &= left - 1
		if coded&1 != 0 {
			significant |= 1 << sample
			left |= laterNeighbors[sample] & candidates
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

// refineMagnitudes decodes one more bit of each sample that the cleanup pass found significant.
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
