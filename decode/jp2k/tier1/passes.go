package tier1

import "math/bits"

// coefficient is a number that blocks are made of.
type coefficient interface{ int32 | int64 }

// passes are the three that a bit-plane is decoded in: what has significant neighbours, what is significant itself, the rest.
type passes[C coefficient] struct {
	significance func(d *Decoder, out []C, plane int)
	refinement   func(d *Decoder, out []C, plane int)
	cleanup      func(d *Decoder, out []C, plane int)
}

func plainPasses[C coefficient]() passes[C] {
	return passes[C]{significancePass[C], refinementPass[C], cleanupPass[C]}
}

// rowOf is the row that a bit of a word is of, if it is moved by shift.
func rowOf(shift uint) int { return int(shift) / rowBits }

// found is what a coefficient is taken for when its first bit is found in a plane: that bit, half of what may be below, and the
// fraction bit.
func found[C coefficient](plane int, negative uint64) C {
	value := C(3) << uint(plane)
	if negative != 0 {
		return -value
	}
	return value
}

// refined is a coefficient after one more bit.
func refined[C coefficient](value C, plane int, bit uint64) C {
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
			todo := withNeighbours(word) &^ (word >> ownBit) & rows
			for todo != 0 {
				shift := uint(bits.TrailingZeros64(todo))
				todo &= todo - 1
				f.words[at] |= 1 << (shift + visitedBit)
				word = f.words[at] >> shift
				if d.coder.symbol(f.zero[word&511]) == 0 {
					continue
				}
				negative := d.sign(word)
				f.signify(at, shift, negative)
				out[(stripe*stripeRows+rowOf(shift))*f.width+x] = found[C](plane, negative)
				todo |= 1 << (shift + rowBits) & rows &^ (f.words[at] >> ownBit)
			}
		}
	}
}

// sign decodes the sign of a coefficient from a word that was moved to its row.
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
				*value = refined(*value, plane, bit)
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
			known := false // that the first of them is significant
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
				f.signify(at, shift, negative)
				out[(stripe*stripeRows+rowOf(shift))*f.width+x] = found[C](plane, negative)
			}
			f.words[at] &^= allVisited
		}
	}
}
