package wavelet

// axis describes how one axis of a window is computed, in pairs of samples. Pair n holds positions
// 2n and 2n+1 of the resolution. It is computed from samples n of the low and the high band and
// from their neighbors.
type axis struct {
	first     int // the pair in which the window begins
	low, high bandAxis
}

// bandAxis holds the range of samples of one band that an axis needs.
type bandAxis struct {
	from       int // the first sample that is needed; may lie before the band
	begin, end int // the part of the range that is in the band

	// Beyond its ends a resolution is mirrored: these samples replace those outside of the band.
	mirrors     [4]mirror
	mirrorCount int
}

// mirror gives the sample of a band that replaces a sample outside of it.
type mirror struct{ sample, original int }

// newAxis returns the axis for the window from a to b of a resolution from begin to end. Neither
// may be empty.
func newAxis(f Filter, begin, end, a, b int) axis {
	margin := 0 // in pairs; the 9-7 filter has twice the lifting steps and reaches one pair further
	if f == Filter97 {
		margin = 1
	}
	first, last := a>>1, b>>1+margin
	return axis{
		first: first,
		low:   newBandAxis(begin, end, 0, first-margin, last),
		high:  newBandAxis(begin, end, 1, first-margin-1, last),
	}
}

// newBandAxis returns the range of the samples from first to last of the low band (odd is 0) or the
// high band (odd is 1).
func newBandAxis(begin, end, odd, first, last int) bandAxis {
	s := bandAxis{from: first, begin: max(first, (begin+1-odd)>>1), end: min(last+1, (end+1-odd)>>1)}
	s.end = max(s.begin, s.end)
	if end-begin == 1 {
		return s
	}
	for n := first; n < min(s.begin, last+1); n++ {
		s.addMirror(n, odd, begin, end)
	}
	for n := max(s.end, first); n <= last; n++ {
		s.addMirror(n, odd, begin, end)
	}
	return s
}

// addMirror adds the mirror of a sample that is not stored.
func (b *bandAxis) addMirror(n, odd, begin, end int) {
	b.mirrors[b.mirrorCount] = mirror{n, mirrorPosition(2*n+odd, begin, end) >> 1}
	b.mirrorCount++
}

// mirrorPosition returns the position inside of a resolution that replaces a position outside.
func mirrorPosition(position, begin, end int) int {
	for position < begin || position >= end {
		if position < begin {
			position = 2*begin - position
		} else {
			position = 2*(end-1) - position
		}
	}
	return position
}

// original returns the sample of the band that provides sample n.
func (b *bandAxis) original(n int) int {
	for _, m := range b.mirrors[:b.mirrorCount] {
		if m.sample == n {
			return m.original
		}
	}
	return n
}

// rowOf returns count samples of a row of a band, from the first that an axis needs on. It gathers in
// memory what the plane does not hold in this order. Samples after those that are needed are undefined.
func rowOf[T Number](from *Plane[T], y int, s *bandAxis, count int, memory []T) []T {
	if s.mirrorCount == 0 {
		if at := (y-from.Rect.Y0)*from.Stride + s.from - from.Rect.X0; at+count <= len(from.Samples) {
			return from.Samples[at : at+count]
		}
	}
	gather(memory, from, y, s)
	return memory
}

// gather copies the samples of a row that an axis needs from a band, including the mirrored ones.
func gather[T Number](to []T, from *Plane[T], y int, s *bandAxis) {
	if s.begin < s.end {
		copy(to[s.begin-s.from:], from.row(y, s.begin, s.end))
	}
	for _, m := range s.mirrors[:s.mirrorCount] {
		to[m.sample-s.from] = to[m.original-s.from]
	}
}
