package tier1

import "math/bits"

// rawPasses returns the passes for bit-planes that bypass the arithmetic coder. A cleanup pass is
// never raw.
func rawPasses[C coefficient]() passes[C] {
	return passes[C]{significance: oneByOne(rawSignificancePass[C]), refinement: oneByOne(rawRefinementPass[C])}
}

func rawSignificancePass[C coefficient](p plane[C]) {
	for s := newScan(p); s.next(); {
		left := s.withNeighbors() & s.group.inside &^ s.group.significant
		visited := left
		for ; left != 0; left &= left - 1 {
			bit := bits.TrailingZeros64(left)
			if p.coder.rawBit() == 0 {
				continue
			}
			s.become(bit, p.coder.rawBit())
			more := s.wokenBy(bit)
			left |= more
			visited |= more
		}
		s.group.visited = visited
	}
}

// rawRefinementPass does not record which coefficients were refined. Only the contexts of later
// arithmetic refinement passes would need that, and no such pass follows a raw one.
func rawRefinementPass[C coefficient](p plane[C]) {
	for s := newScan(p); s.next(); {
		for left := s.group.significant &^ s.group.visited; left != 0; left &= left - 1 {
			value := &s.values[s.slot+bits.TrailingZeros64(left)]
			*value = refine(*value, p.number, p.coder.rawBit())
		}
	}
}
