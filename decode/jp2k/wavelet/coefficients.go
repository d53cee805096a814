package wavelet

// Decoders of code-blocks leave coefficients with one fraction bit: they are twice the value.

// FixedPoint is a type of decoded coefficients with one fraction bit.
type FixedPoint interface{ int16 | int32 | int64 }

// MaxShortPlanes is the number of bit-planes of decoded coefficients that int16 has room for, beside their sign
// and fraction bit.
const MaxShortPlanes = 16 - 2

// Halve removes the fraction bit, rounding towards zero. It converts as many coefficients as both
// slices have. Bits that do not fit into C are cut off.
func Halve[C Coefficient, D FixedPoint](to []C, from []D) {
	count := min(len(to), len(from))
	if !narrowVectors(to[:count], from[:count], true) {
		halveInGo(to[:count], from)
	}
}

func halveInGo[C Coefficient, D FixedPoint](to []C, from []D) {
	for i, v := range from[:len(to)] {
		to[i] = C(v / 2)
	}
}

// Narrow is like Halve but keeps the fraction bit.
func Narrow[C Coefficient, D FixedPoint](to []C, from []D) {
	if same, areSame := any(from).([]C); areSame {
		copy(to, same)
		return
	}
	count := min(len(to), len(from))
	if !narrowVectors(to[:count], from[:count], false) {
		narrowInGo(to[:count], from)
	}
}

func narrowInGo[C Coefficient, D FixedPoint](to []C, from []D) {
	for i, v := range from[:len(to)] {
		to[i] = C(v)
	}
}

// LowerRegion undoes, in place, the shift that lifts a region of interest above the background.
// Values of at least 2^shift are shifted down by shift bits. If bits fall off, all planes of the
// value are known, and its fraction is set to one half again.
func LowerRegion[D FixedPoint](decoded []D, shift int) {
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

// MaxMagnitude returns the maximum magnitude of decoded coefficients, with their fraction bit.
func MaxMagnitude[D FixedPoint](decoded []D) int64 {
	if magnitude, isDone := maxMagnitudeVectors(decoded); isDone {
		return int64(magnitude)
	}
	return maxMagnitudeInGo(decoded)
}

func maxMagnitudeInGo[D FixedPoint](decoded []D) int64 {
	lowest, highest := D(0), D(0)
	for _, v := range decoded {
		lowest, highest = min(lowest, v), max(highest, v)
	}
	return max(-int64(lowest), int64(highest))
}
