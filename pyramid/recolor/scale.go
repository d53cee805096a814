package recolor

// scale is the samples that are no and all intensity, and the level of all.
type scale struct{ none, all, most float64 }

// span returns how many samples there are between the ends.
func (s scale) span() float64 {
	if s.all == s.none {
		return 1
	}
	return s.all - s.none
}

// of returns the level of a sample, but not far out of sight.
func (s scale) of(sample float64) float64 {
	const far = 4096
	return min(max((sample-s.none)*s.most/s.span(), -far), far)
}

// straight is s with both its numbers bounded, so that no level is too large for an
// integer.
func (s scale) straight() straight {
	const steepest, farthest = 1 << 10, 1 << 20
	factor := min(max(s.most/s.span(), -steepest), steepest)
	return straight{float32(factor), float32(min(max(-s.none*factor, -farthest), farthest))}
}

// straight is a scale for many samples. The product is rounded by itself, so that
// machines that could add to it before that give the same levels.
type straight struct{ factor, offset float32 }

func (s straight) of(sample float32) float32 { return float32(sample*s.factor) + s.offset }
