package tier1

import "math/bits"

// rawPasses are those of bit-planes in which the arithmetic coder is bypassed. It is not for cleanup passes.
func rawPasses[C coefficient]() passes[C] {
	return passes[C]{significance: rawSignificancePass[C], refinement: rawRefinementPass[C]}
}

func rawSignificancePass[C coefficient](d *Decoder, out []C, plane int) {
	f := &d.field
	for stripe := range f.stripes {
		rows, start := f.rows(stripe), f.start(stripe)
		for x := range f.width {
			at := start + x
			word := f.words[at]
			todo := withNeighbours(word) &^ (word >> ownBit) & rows
			for todo != 0 {
				shift := uint(bits.TrailingZeros64(todo))
				todo &= todo - 1
				f.words[at] |= 1 << (shift + visitedBit)
				if d.coder.rawBit() == 0 {
					continue
				}
				negative := d.coder.rawBit()
				f.signify(at, shift, negative)
				out[(stripe*stripeRows+rowOf(shift))*f.width+x] = found[C](plane, negative)
				todo |= 1 << (shift + rowBits) & rows &^ (f.words[at] >> ownBit)
			}
		}
	}
}

// rawRefinementPass does not note what was refined: that is for contexts, and no pass behind it asks for those of refinement.
func rawRefinementPass[C coefficient](d *Decoder, out []C, plane int) {
	f := &d.field
	for stripe := range f.stripes {
		start := f.start(stripe)
		for x := range f.width {
			word := f.words[start+x]
			todo := word >> ownBit &^ (word >> visitedBit) & allRows
			for ; todo != 0; todo &= todo - 1 {
				shift := uint(bits.TrailingZeros64(todo))
				value := &out[(stripe*stripeRows+rowOf(shift))*f.width+x]
				*value = refined(*value, plane, d.coder.rawBit())
			}
		}
	}
}
