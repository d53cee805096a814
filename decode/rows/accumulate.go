package rows

// Accumulate computes the samples of a row from differences. It adds to each difference the sample
// of the pixel to the left, which lies samples words before it. The first pixel is stored
// unchanged. to and differences must be identical or must not overlap.
func Accumulate[T Word](to, differences []T, samples int) {
	to = to[:len(differences)]
	if done := accumulateVectors(to, differences, samples); done > 0 {
		addLeft(to, differences, samples, done)
		return
	}
	accumulateInGo(to, differences, samples)
}

// accumulateInGo keeps the sums in registers for common numbers of samples.
func accumulateInGo[T Word](to, differences []T, samples int) {
	switch {
	case samples >= len(differences):
		copy(to, differences)
	case samples == 1:
		accumulate1(to, differences)
	case samples == 3:
		accumulate3(to, differences)
	case samples == 4:
		accumulate4(to, differences)
	default:
		copy(to[:samples], differences)
		addLeft(to, differences, samples, samples)
	}
}

// addLeft computes the samples from index from on. Each must have a pixel to its left.
func addLeft[T Word](to, differences []T, samples, from int) {
	left := to[from-samples:]
	to = to[from:]
	for i, d := range differences[from:] {
		to[i] = left[i] + d
	}
}

func accumulate1[T Word](to, differences []T) {
	var a T
	for i, d := range differences {
		a += d
		to[i] = a
	}
}

func accumulate3[T Word](to, differences []T) {
	var a, b, c T
	for ; len(differences) >= 3 && len(to) >= 3; differences, to = differences[3:], to[3:] {
		a += differences[0]
		b += differences[1]
		c += differences[2]
		to[0], to[1], to[2] = a, b, c
	}
	for i, sum := range []T{a, b}[:len(differences)] {
		to[i] = sum + differences[i]
	}
}

func accumulate4[T Word](to, differences []T) {
	var a, b, c, d T
	for ; len(differences) >= 4 && len(to) >= 4; differences, to = differences[4:], to[4:] {
		a += differences[0]
		b += differences[1]
		c += differences[2]
		d += differences[3]
		to[0], to[1], to[2], to[3] = a, b, c, d
	}
	for i, sum := range []T{a, b, c}[:len(differences)] {
		to[i] = sum + differences[i]
	}
}
