package wavelet

// What decoders of code-blocks leave has one fraction bit, which is to say that it is twice the value.

// Decoded is a type that code-blocks are decoded to.
type Decoded interface{ int32 | int64 }

// Halve takes the fraction bit off, towards zero. It does as many as both have, and cuts off what to has no bits for.
func Halve[C Coefficient, D Decoded](to []C, from []D) {
	count := min(len(to), len(from))
	if !narrowVectors(to[:count], from[:count], true) {
		halveInGo(to[:count], from)
	}
}

func halveInGo[C Coefficient, D Decoded](to []C, from []D) {
	for i, v := range from[:len(to)] {
		to[i] = C(v / 2)
	}
}

// Narrow is as Halve, and leaves the fraction bit.
func Narrow[C Coefficient, D Decoded](to []C, from []D) {
	count := min(len(to), len(from))
	if !narrowVectors(to[:count], from[:count], false) {
		narrowInGo(to[:count], from)
	}
}

func narrowInGo[C Coefficient, D Decoded](to []C, from []D) {
	for i, v := range from[:len(to)] {
		to[i] = C(v)
	}
}

// LowerRegion undoes, in place, what lifts a region of interest above the background: values of at least 2^shift are
// brought down by so many bits. Where bits fall off, all planes of a value are known, and its fraction is one half again.
func LowerRegion[D Decoded](decoded []D, shift int) {
	if shift <= 0 || shift > 62 {
		return
	}
	for i, v := range decoded {
		magnitude := max(int64(v), -int64(v))
		if magnitude>>(shift+1) == 0 {
			continue
		}
		lowered := magnitude >> shift
		if lowered<<shift != magnitude {
			lowered |= 1
		}
		if v < 0 {
			lowered = -lowered
		}
		decoded[i] = D(lowered)
	}
}
