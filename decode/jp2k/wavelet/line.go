package wavelet

// line is how one axis of a window is made. It is made in pairs: pair n is what lies at 2n and 2n+1 of the resolution,
// made of samples n of the low band and of the high one, and of their neighbours.
type line struct {
	first     int // the pair that the window begins in
	low, high strand
}

// strand is what a line takes of one of its two bands.
type strand struct {
	from       int // the first sample that is taken, which may lie before the band
	begin, end int // those of them that are in the band

	// Beyond its ends a resolution is mirrored: the samples there are those of others.
	mirrors  [4]mirror
	mirrored int
}

// mirror says which sample of a band stands in for one beyond its ends.
type mirror struct{ sample, original int }

// newLine is for the window from a to b of a resolution that goes from begin to end; none of them is empty.
func newLine(f Filter, begin, end, a, b int) line {
	margin := 0 // in pairs: twice as many lifting steps reach further by one
	if f == Filter97 {
		margin = 1
	}
	first, last := a>>1, b>>1+margin
	return line{
		first: first,
		low:   newStrand(begin, end, 0, first-margin, last),
		high:  newStrand(begin, end, 1, first-margin-1, last),
	}
}

// newStrand takes the samples from first to last that are at even or odd places.
func newStrand(begin, end, odd, first, last int) strand {
	s := strand{from: first, begin: max(first, (begin+1-odd)>>1), end: min(last+1, (end+1-odd)>>1)}
	s.end = max(s.begin, s.end)
	if end-begin == 1 {
		return s
	}
	for n := first; n <= last; n++ {
		if n < s.begin || n >= s.end {
			s.mirrors[s.mirrored] = mirror{n, mirrored(2*n+odd, begin, end) >> 1}
			s.mirrored++
		}
	}
	return s
}

// mirrored is the place inside of a resolution that stands in for one outside.
func mirrored(place, begin, end int) int {
	for place < begin || place >= end {
		if place < begin {
			place = 2*begin - place
		} else {
			place = 2*(end-1) - place
		}
	}
	return place
}

// original is the sample of the band that stands in for sample n.
func (s *strand) original(n int) int {
	for _, m := range s.mirrors[:s.mirrored] {
		if m.sample == n {
			return m.original
		}
	}
	return n
}

// gather copies what a row takes of a band, with what is mirrored.
func gather[T Number](to []T, from *Plane[T], y int, s *strand) {
	if s.begin < s.end {
		copy(to[s.begin-s.from:], from.row(y, s.begin, s.end))
	}
	for _, m := range s.mirrors[:s.mirrored] {
		to[m.sample-s.from] = to[m.original-s.from]
	}
}
