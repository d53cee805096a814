package tier1

import "math/bits"

// coefficient is the type of the decoded coefficients.
type coefficient interface{ int32 | int64 }

// passes are the three passes of a bit-plane. significance codes the insignificant coefficients
// with significant neighbors, refinement the significant ones, cleanup the rest.
type passes[C coefficient] struct {
	significance func(d *Decoder, out []C, plane int)
	refinement   func(d *Decoder, out []C, plane int)
	cleanup      func(d *Decoder, out []C, plane int)
}

func plainPasses[C coefficient]() passes[C] {
	return passes[C]{significancePass[C], refinementPass[C], cleanupPass[C]}
}

// rowOf returns the row of a bit at distance shift from row 0.
func rowOf(shift uint) int { return int(shift) / rowBits }

// initialValue returns the value of a coefficient whose first 1 bit was found in a plane: that bit,
// half of the range that the planes below may hold, and the fraction bit.
func initialValue[C coefficient](plane int, negative uint64) C {
	value := C(3) << uint(plane)
	if negative != 0 {
		return -value
	}
	return value
}

// refine returns a coefficient after one more bit.
func refine[C coefficient](value C, plane int, bit uint64) C {
	change := C(bit)<<uint(plane+1) - C(1)<<uint(plane)
	if value < 0 {
		return value - change
	}
	return value + change
}

func significancePass[C coefficient](d *Decoder, out []C, plane int) {
	f := &d.field
	for stripe := range f.stripes {
		rows, start := f.rows(stripe), f.start(stripe)
		for x := range f.width {
			at := start + x
			word := f.words[at]
			if word == 0 {
				continue
			}
			todo := withNeighbors(word) &^ (word >> ownBit) & rows
			for todo != 0 {
				shift := uint(bits.TrailingZeros64(todo))
				todo &= todo - 1
				f.words[at] |= 1 << (shift + visitedBit)
				word = f.words[at] >> shift
				if d.coder.symbol(f.zero[word&511]) == 0 {
					continue
				}
				negative := d.sign(word)
				f.markSignificant(at, shift, negative)
				out[(stripe*stripeRows+rowOf(shift))*f.width+x] = initialValue[C](plane, negative)
				todo |= 1 << (shift + rowBits) & rows &^ (f.words[at] >> ownBit)
			}
		}
	}
}

// sign decodes the sign of a coefficient from a word that was shifted to its row.
func (d *Decoder) sign(word uint64) uint64 {
	context := signContexts[signIndex(word)]
	return d.coder.symbol(context) ^ uint64(context>>flippedBit)
}

func refinementPass[C coefficient](d *Decoder, out []C, plane int) {
	f := &d.field
	for stripe := range f.stripes {
		start := f.start(stripe)
		for x := range f.width {
			word := f.words[start+x]
			todo := word >> ownBit &^ (word >> visitedBit) & allRows
			if todo == 0 {
				continue
			}
			f.words[start+x] |= todo << refinedBit
			for ; todo != 0; todo &= todo - 1 {
				shift := uint(bits.TrailingZeros64(todo))
				bit := d.coder.symbol(magnitudeContextOf(word >> shift))
				value := &out[(stripe*stripeRows+rowOf(shift))*f.width+x]
				*value = refine(*value, plane, bit)
			}
		}
	}
}

func magnitudeContextOf(word uint64) uint8 {
	switch {
	case word>>refinedBit&1 != 0:
		return magnitudeContext + 2
	case word&aroundMask != 0:
		return magnitudeContext + 1
	}
	return magnitudeContext
}

func cleanupPass[C coefficient](d *Decoder, out []C, plane int) {
	f := &d.field
	for stripe := range f.stripes {
		rows, start := f.rows(stripe), f.start(stripe)
		for x := range f.width {
			at := start + x
			word := f.words[at]
			todo := rows &^ (word >> ownBit) &^ (word >> visitedBit)
			known := false // the first row of todo is known to be significant
			if word == 0 && rows == allRows {
				if d.coder.symbol(runContext) == 0 {
					continue
				}
				row := d.coder.symbol(uniformContext) << 1
				row |= d.coder.symbol(uniformContext)
				todo &= ^uint64(0) << (rowBits * row)
				known = true
			}
			for ; todo != 0; todo &= todo - 1 {
				shift := uint(bits.TrailingZeros64(todo))
				word = f.words[at] >> shift
				if !known && d.coder.symbol(f.zero[word&511]) == 0 {
					continue
				}
				known = false
				negative := d.sign(word)
				f.markSignificant(at, shift, negative)
				out[(stripe*stripeRows+rowOf(shift))*f.width+x] = initialValue[C](plane, negative)
			}
			f.words[at] &^= allVisited
		}
	}
}
