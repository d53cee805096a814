package recolor

// scale maps samples to levels. none is the sample of zero intensity, all the sample of full
// intensity, and maxLevel the level of all.
type scale struct{ none, all, maxLevel float64 }

// span returns the difference between the samples of full and zero intensity.
func (s scale) span() float64 {
	if s.all == s.none {
		return 1
	}
	return s.all - s.none
}

// of returns the level of a sample, limited to a range that avoids overflow.
func (s scale) of(sample float64) float64 {
	const far = 4096
	return min(max((sample-s.none)*s.maxLevel/s.span(), -far), far)
}

// straight returns s with both numbers limited, so that every level fits in an integer.
func (s scale) straight() straight {
	const steepest, farthest = 1 << 10, 1 << 20
	factor := min(max(s.maxLevel/s.span(), -steepest), steepest)
	return straight{float32(factor), float32(min(max(-s.none*factor, -farthest), farthest))}
}

// straight is a scale for many samples. It rounds the product separately, which prevents fused
// multiply-add, so that all machines compute the same.
type straight struct{ factor, offset float32 }

func (s straight) of(sample float32) float32 { return float32(sample*s.factor) + s.offset }
