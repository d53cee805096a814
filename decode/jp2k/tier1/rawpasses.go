package tier1

import "math/bits"

// rawPasses returns the passes for bit-planes that bypass the arithmetic coder. A cleanup pass is
// never raw.
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
			todo := withNeighbors(word) &^ (word >> ownBit) & rows
			for todo != 0 {
				shift := uint(bits.TrailingZeros64(todo))
				todo &= todo - 1
				f.words[at] |= 1 << (shift + visitedBit)
				if d.coder.rawBit() == 0 {
					continue
				}
				negative := d.coder.rawBit()
				f.markSignificant(at, shift, negative)
				out[(stripe*stripeRows+rowOf(shift))*f.width+x] = initialValue[C](plane, negative)
				todo |= 1 << (shift + rowBits) & rows &^ (f.words[at] >> ownBit)
			}
		}
	}
}

// rawRefinementPass does not record which coefficients were refined. Only the contexts of later
// arithmetic refinement passes would need that, and no such pass follows a raw one.
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
				*value = refine(*value, plane, d.coder.rawBit())
			}
		}
	}
}
