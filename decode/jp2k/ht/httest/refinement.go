package httest

// refinement returns the segment of the passes after the cleanup pass. The bits of significance
// propagation start at its beginning, those of magnitude refinement at its end.
func (s *Samples) refinement() []byte {
	propagation, magnitudes := newForward(), &backward{last: 0xFF}
	significant := make([]bool, len(s.Values))
	for i, value := range s.Values {
		significant[i] = magnitude(value)>>s.Plane != 0
	}
	s.eachGroup(func(group []int) {
		var found []int
		for _, i := range group {
			if significant[i] || !s.nearSignificant(significant, i) {
				continue
			}
			bit := uint64(magnitude(s.Values[i]) >> (s.Plane - 1))
			propagation.write(bit, 1)
			if bit != 0 {
				significant[i] = true
				found = append(found, i)
			}
		}
		for _, i := range found {
			propagation.write(uint64(uint32(s.Values[i])>>31), 1)
		}
	})
	if s.Passes > 2 {
		s.eachGroup(func(group []int) {
			for _, i := range group {
				if size := magnitude(s.Values[i]); size>>s.Plane != 0 {
					magnitudes.write(size>>(s.Plane-1), 1)
				}
			}
		})
	}
	return append(propagation.finish(0), magnitudes.finish()...)
}

// eachGroup calls do for each group of four columns in each stripe of four rows, with the samples
// of the group, column by column.
func (s *Samples) eachGroup(do func(group []int)) {
	for top := 0; top < s.Height; top += 4 {
		for left := 0; left < s.Width; left += 4 {
			var group []int
			for x := left; x < min(left+4, s.Width); x++ {
				for y := top; y < min(top+4, s.Height); y++ {
					group = append(group, y*s.Width+x)
				}
			}
			do(group)
		}
	}
}

// nearSignificant reports whether one of the eight neighbors is significant. If the block is
// vertically causal, it ignores the stripe below.
func (s *Samples) nearSignificant(significant []bool, i int) bool {
	atX, atY := i%s.Width, i/s.Width
	for y := max(atY-1, 0); y < min(atY+2, s.Height); y++ {
		if s.VerticallyCausal && y/4 > atY/4 {
			break
		}
		for x := max(atX-1, 0); x < min(atX+2, s.Width); x++ {
			if significant[y*s.Width+x] {
				return true
			}
		}
	}
	return false
}
