package decoder

import "tileserver/codec/webp/vp8"

// strength holds the parameters of the loop filter for one macroblock.
type strength struct {
	limit    int32 // limit of the step across an edge; 0 disables the filter
	interior int32 // limit of the steps beside an edge
	rough    int32 // threshold of high variance beside an edge
	inner    bool  // also filter the edges between subblocks
}

// strengthOf computes the filter strength of a macroblock (RFC 6386, sections 9.3, 9.6 and 15.2).
func (h *frameHeader) strengthOf(m *macroblock, hasCoefficients bool) strength {
	level := h.filterLevel
	if h.segmented {
		level = h.segmentLevel[m.segment]
		if !h.absolute {
			level += h.filterLevel
		}
	}
	if h.levelDeltas {
		level += h.intraDelta
		if m.hasSubblocks {
			level += h.subblockDelta
		}
	}
	level = min(max(level, 0), 63)
	if level == 0 {
		return strength{}
	}
	interior := level
	if h.sharpness > 0 {
		interior >>= (h.sharpness + 3) >> 2 // shift by 1 for sharpness up to 4, otherwise by 2
		interior = min(interior, 9-h.sharpness)
	}
	interior = max(interior, 1)
	s := strength{limit: int32(2*level + interior), interior: int32(interior), inner: m.hasSubblocks || hasCoefficients}
	switch {
	case level >= 40:
		s.rough = 2
	case level >= 15:
		s.rough = 1
	}
	return s
}

// smooth filters the edges of all macroblocks, in the order of decoding.
func (f *frame) smooth() {
	if f.header.filterLevel == 0 {
		return // overrides the levels of segments
	}
	for row := range f.rows {
		for column := range f.columns {
			s := &f.strengths[row*f.columns+column]
			switch {
			case s.limit == 0:
			case f.header.simpleFilter:
				f.y.smoothSimply(column, row, s)
			default:
				f.smoothMacroblock(column, row, s)
			}
		}
	}
}

// macroblockExtra raises the limit for edges between macroblocks.
const macroblockExtra = 4

// smoothSimply applies the simple filter (RFC 6386, section 15.2), which changes luma only.
func (p *plane) smoothSimply(column, row int, s *strength) {
	at := p.at(16*column, 16*row)
	each := func(x, y, along, across int, limit int32) {
		line := at + x + y*p.stride
		for range 16 {
			if p.isFlat(line, across, 2*limit+1) {
				p.smooth2(line, across)
			}
			line += along
		}
	}
	if column > 0 {
		each(0, 0, p.stride, 1, s.limit+macroblockExtra)
	}
	if s.inner {
		for x := 4; x < 16; x += 4 {
			each(x, 0, p.stride, 1, s.limit)
		}
	}
	if row > 0 {
		each(0, 0, 1, p.stride, s.limit+macroblockExtra)
	}
	if s.inner {
		for y := 4; y < 16; y += 4 {
			each(0, y, 1, p.stride, s.limit)
		}
	}
}

// edge16 is an edge that sixteen lines cross. The two halves of eight lines may lie in different
// planes.
type edge16 struct {
	first, second     *plane
	atFirst, atSecond int // the sample behind the edge, in the first line of each half
}

// moved returns the edge shifted by a number of samples in both planes.
func (e edge16) moved(by int) edge16 {
	e.atFirst += by
	e.atSecond += by
	return e
}

// smoothMacroblock applies the normal filter (RFC 6386, section 15.3). Both chroma planes have the
// same stride.
func (f *frame) smoothMacroblock(column, row int, s *strength) {
	at, atChroma := f.y.at(16*column, 16*row), f.u.at(8*column, 8*row)
	chroma := edge16{&f.u, &f.v, atChroma, atChroma}
	upright := edge16{&f.y, &f.y, at, at + 8*f.y.stride}
	if column > 0 {
		upright.smoothColumns6(s)
		chroma.smoothColumns6(s)
	}
	if s.inner {
		for x := 4; x < 16; x += 4 {
			upright.moved(x).smoothColumns4(s)
		}
		chroma.moved(4).smoothColumns4(s)
	}
	level := edge16{&f.y, &f.y, at, at + 8}
	if row > 0 {
		level.smoothRows6(s)
		chroma.smoothRows6(s)
	}
	if s.inner {
		for y := 4; y < 16; y += 4 {
			level.moved(y * f.y.stride).smoothRows4(s)
		}
		chroma.moved(4 * f.u.stride).smoothRows4(s)
	}
}

func (e edge16) smoothColumns6InGo(s *strength) {
	e.first.smoothLines6(e.atFirst, e.first.stride, 1, s)
	e.second.smoothLines6(e.atSecond, e.second.stride, 1, s)
}

func (e edge16) smoothColumns4InGo(s *strength) {
	e.first.smoothLines4(e.atFirst, e.first.stride, 1, s)
	e.second.smoothLines4(e.atSecond, e.second.stride, 1, s)
}

func (e edge16) smoothRows6InGo(s *strength) {
	e.first.smoothLines6(e.atFirst, 1, e.first.stride, s)
	e.second.smoothLines6(e.atSecond, 1, e.second.stride, s)
}

func (e edge16) smoothRows4InGo(s *strength) {
	e.first.smoothLines4(e.atFirst, 1, e.first.stride, s)
	e.second.smoothLines4(e.atSecond, 1, e.second.stride, s)
}

// smoothLines6 filters eight lines across the edge of a macroblock. along is the step from line to
// line, and across is the step from sample to sample within a line.
func (p *plane) smoothLines6(at, along, across int, s *strength) {
	limit := 2*(s.limit+macroblockExtra) + 1
	for range 8 {
		if p.isFlat(at, across, limit) && p.isCalm(at, across, s.interior) {
			if p.isRough(at, across, s.rough) {
				p.smooth2(at, across)
			} else {
				p.smooth6(at, across)
			}
		}
		at += along
	}
}

func (p *plane) smoothLines4(at, along, across int, s *strength) {
	limit := 2*s.limit + 1
	for range 8 {
		if p.isFlat(at, across, limit) && p.isCalm(at, across, s.interior) {
			if p.isRough(at, across, s.rough) {
				p.smooth2(at, across)
			} else {
				p.smooth4(at, across)
			}
		}
		at += along
	}
}

// isFlat reports whether the step across an edge is small enough to be a coding artifact.
func (p *plane) isFlat(at, across int, limit int32) bool {
	s := p.samples
	p1, p0, q0, q1 := int32(s[at-2*across]), int32(s[at-across]), int32(s[at]), int32(s[at+across])
	return 4*distance(p0, q0)+distance(p1, q1) <= limit
}

// isCalm reports whether the steps beside an edge are small enough.
func (p *plane) isCalm(at, across int, limit int32) bool {
	s := p.samples
	p3, p2, p1, p0 := int32(s[at-4*across]), int32(s[at-3*across]), int32(s[at-2*across]), int32(s[at-across])
	q0, q1, q2, q3 := int32(s[at]), int32(s[at+across]), int32(s[at+2*across]), int32(s[at+3*across])
	return distance(p3, p2) <= limit && distance(p2, p1) <= limit && distance(p1, p0) <= limit &&
		distance(q3, q2) <= limit && distance(q2, q1) <= limit && distance(q1, q0) <= limit
}

// isRough reports whether a step beside an edge exceeds the variance threshold.
func (p *plane) isRough(at, across int, limit int32) bool {
	s := p.samples
	p1, p0, q0, q1 := int32(s[at-2*across]), int32(s[at-across]), int32(s[at]), int32(s[at+across])
	return distance(p1, p0) > limit || distance(q1, q0) > limit
}

// smooth2 changes one sample on each side of an edge.
func (p *plane) smooth2(at, across int) {
	s := p.samples
	p1, p0, q0, q1 := int32(s[at-2*across]), int32(s[at-across]), int32(s[at]), int32(s[at+across])
	a := 3*(q0-p0) + within(p1-q1, 127)
	s[at-across] = vp8.Clamp(p0 + within((a+3)>>3, 15))
	s[at] = vp8.Clamp(q0 - within((a+4)>>3, 15))
}

func (p *plane) smooth4(at, across int) {
	s := p.samples
	p1, p0, q0, q1 := int32(s[at-2*across]), int32(s[at-across]), int32(s[at]), int32(s[at+across])
	a := 3 * (q0 - p0)
	a1, a2 := within((a+4)>>3, 15), within((a+3)>>3, 15)
	a3 := (a1 + 1) >> 1
	s[at-2*across], s[at-across] = vp8.Clamp(p1+a3), vp8.Clamp(p0+a2)
	s[at], s[at+across] = vp8.Clamp(q0-a1), vp8.Clamp(q1-a3)
}

func (p *plane) smooth6(at, across int) {
	s := p.samples
	p2, p1, p0 := int32(s[at-3*across]), int32(s[at-2*across]), int32(s[at-across])
	q0, q1, q2 := int32(s[at]), int32(s[at+across]), int32(s[at+2*across])
	a := within(3*(q0-p0)+within(p1-q1, 127), 127)
	a1, a2, a3 := (27*a+63)>>7, (18*a+63)>>7, (9*a+63)>>7
	s[at-3*across], s[at-2*across], s[at-across] = vp8.Clamp(p2+a3), vp8.Clamp(p1+a2), vp8.Clamp(p0+a1)
	s[at], s[at+across], s[at+2*across] = vp8.Clamp(q0-a1), vp8.Clamp(q1-a2), vp8.Clamp(q2-a3)
}

func distance(a, b int32) int32 { return max(a-b, b-a) }

// within limits v to the range from -limit-1 to limit.
func within(v, limit int32) int32 { return min(max(v, ^limit), limit) }
