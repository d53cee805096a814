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
	empty       stripe
	propagation bitStream
	refinement  bitStream

	// fresh are the samples of a stripe that became significant, signs the bits with their signs: those
	// of each group begin where the group does.
	fresh, signs stripe

	half int32 // half of the step of the cleanup pass, in units of the fraction bit
}

// bitStream is an unstuffed stream, followed by zeros.
type bitStream struct {
	bytes    [maxRefinementBytes + streamPadding]byte
	position uint
}

// fetch returns at least 57 bits.
func (s *bitStream) fetch() uint64 {
	return binary.LittleEndian.Uint64(s.bytes[s.position>>3:]) >> (s.position & 7)
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
		beneath := below
		if b.VerticallyCausal {
			beneath = &r.empty
		}
		r.propagate(b, y, above, here, beneath)
		r.change(b, y, here, out[y*b.Width:])
	}
}

func (r *refiner) begin(b *Block) {
	p, m := &r.propagation, &r.refinement
	most := b.Width*b.Height/4 + streamPadding // two bits a sample, and what is fetched after them
	clearAfter(p.bytes[:most], (&unstuffer{to: p.bytes[:]}).forward(b.Refinement, 0))
	clearAfter(m.bytes[:most], (&unstuffer{to: m.bytes[:]}).backward(b.Refinement, 0xFF))
	p.position, m.position = 0, 0
	r.half = 1 << (b.plane() - 1)
}

// clearAfter clears the bytes from end on.
func clearAfter(bytes []byte, end int) { clear(bytes[min(end, len(bytes)):]) }

// propagate decodes which samples of the stripe at row y become significant, and adds them to here.
func (r *refiner) propagate(b *Block, y int, above, here, below *stripe) {
	before, at := uint64(0), nearInColumn(above[1], here[1], below[1])
	beside := uint64(0)
	for word := 1; wordColumns*(word-1) < b.Width; word++ {
		behind := nearInColumn(above[word+1], here[word+1], below[word+1])
		near := at | at<<stripeRows | at>>stripeRows | before>>lastColumn | behind<<lastColumn
		before, at = at, behind
		candidates := inside(b.Width-wordColumns*(word-1), b.Height-y) &^ here[word]
		beside = r.propagateWord(word, candidates, near, beside)
		here[word] |= r.fresh[word]
	}
}

// propagateWord decodes which candidates of a word become significant, and then their signs, group by
// group. beside are the samples of the first column with neighbors that just became significant. It
// returns the samples of the next column with such neighbors.
func (r *refiner) propagateWord(word int, candidates, near, beside uint64) uint64 {
	r.fresh[word], r.signs[word] = 0, 0
	for at := 0; at < 64; at += groupBits {
		candidates, near := candidates>>at&(1<<groupBits-1), near>>at
		if (near|beside)&candidates == 0 {
			beside = 0
			continue
		}
		coded := r.propagation.fetch()
		fresh, taken := uint64(0), uint(0)
		for column := 0; column < groupBits; column += stripeRows {
			index := candidates>>column&rowMask<<(2*stripeRows) | (near>>column|beside)&rowMask<<stripeRows | coded>>taken&rowMask
			entry := uint64(propagatedColumns[index])
			taken += uint(entry & 7)
			beside = entry >> besideBit & rowMask
			fresh |= entry >> freshBit << column
		}
		r.fresh[word] |= fresh << at
		r.signs[word] |= coded >> taken & (1<<groupBits - 1) << at
		r.propagation.position += taken + uint(bits.OnesCount64(fresh))
	}
	return beside
}

// changeInGo changes samples from a column on: it puts those that became significant, with their signs,
// and refines those that the cleanup pass found significant.
func (r *refiner) changeInGo(b *Block, from int, here *stripe, out []int32) {
	for x := from; x < b.Width; x += groupColumns {
		word, at := x/wordColumns+1, x%wordColumns*stripeRows
		fresh := uint16(r.fresh[word] >> at)
		found := uint16(here[word]>>at) &^ fresh
		r.put(fresh, uint16(r.signs[word]>>at), out[x:], b.Width)
		if b.Passes > 2 {
			r.refineMagnitudes(found, out[x:], b.Width)
		}
	}
}

// put puts the samples of a group that became significant.
func (r *refiner) put(fresh, signs uint16, out []int32, width int) {
	for ; fresh != 0; fresh &= fresh - 1 {
		sample := bits.TrailingZeros16(fresh) & 15
		sign := -int32(signs & 1)
		out[sample&3*width+sample>>2] = 3*r.half ^ sign - sign
		signs >>= 1
	}
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
