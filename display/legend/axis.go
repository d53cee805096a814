package legend

import (
	"math"
	"slices"
)

// axis places numbers along a bar.
type axis struct {
	low, high float64 // at the first and at the last pixel
	first     int     // pixel
	length    int     // pixels
	flipped   bool    // low is at the last pixel

	// Labels may lie from roomFirst up to roomLast, which goes beyond the bar, with a gap
	// between them.
	roomFirst, roomLast int
	gap                 int
	extent              func(label string) int // along the bar
}

// mark is a place on a bar, and the label there, if there is room for one.
type mark struct {
	at    int
	label string
	from  int // where the label begins
}

func (m *mark) to(a *axis) int { return m.from + a.extent(m.label) }

// place is the pixel of a number.
func (a *axis) place(v float64) int {
	offset := int(math.Round(a.share(v) * float64(a.length-1)))
	if a.flipped {
		offset = a.length - 1 - offset
	}
	return a.first + offset
}

// share returns how far a number lies along the axis, from 0 to 1. It halves numbers only
// when their difference overflows: half of the smallest number is zero.
func (a *axis) share(v float64) float64 {
	if span := a.high - a.low; isFinite(span) {
		return (v - a.low) / span
	}
	return (v/2 - a.low/2) / (a.high/2 - a.low/2)
}

// mark puts a label in the middle of its place, or as near as there is room.
func (a *axis) mark(v float64, label string) mark {
	at, extent := a.place(v), a.extent(label)
	return mark{at, label, max(a.roomFirst, min(at-(extent-1)/2, a.roomLast-extent))}
}

// marks are the limits, and round numbers between them as close as there is room for.
func (a *axis) marks() []mark {
	if !canBeCounted(a.low, a.high) {
		return nil
	}
	span := math.Abs(a.high - a.low)
	first := a.mark(a.low, formatLimit(a.low, span))
	last := a.mark(a.high, formatLimit(a.high, span))
	labelled := []mark{first}
	if a.isFree(labelled, last) {
		labelled = append(labelled, last)
	}
	var unlabelled []mark
	for _, m := range a.roundMarks(span) {
		if m.at == first.at || m.at == last.at {
			continue
		}
		if a.isFree(labelled, m) {
			labelled = append(labelled, m)
		} else {
			unlabelled = append(unlabelled, mark{at: m.at})
		}
	}
	return append(labelled, unlabelled...)
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// canBeCounted tells whether there are numbers from low to high.
func canBeCounted(low, high float64) bool {
	return low != high && isFinite(low) && isFinite(high)
}

// isFree tells whether the label of m keeps clear of others.
func (a *axis) isFree(others []mark, m mark) bool {
	return !slices.ContainsFunc(others, func(other mark) bool {
		return m.from < other.to(a)+a.gap && other.from < m.to(a)+a.gap
	})
}

// roundMarks are multiples of 1, 2 or 5 times a power of ten: the closest whose labels keep
// clear of each other.
func (a *axis) roundMarks(span float64) (best []mark) {
	if !isFinite(span) {
		return nil
	}
	coarsest := exponentOf(span)
	for exponent := coarsest; exponent >= max(smallestExponent, coarsest-3); exponent-- {
		for _, multiple := range []int64{5, 2, 1} {
			marks, fit := a.multiples(multiple, exponent)
			if !fit {
				return best
			}
			best = marks
		}
	}
	return best
}

// mostMultiples is where the numbers of a double get too coarse to be counted.
const mostMultiples = 1 << 50

// multiples are the marks of one distance, unless they are too close.
func (a *axis) multiples(multiple int64, exponent int) (marks []mark, fit bool) {
	low, high := min(a.low, a.high), max(a.low, a.high)
	n := math.Floor(low / decimal(multiple, exponent))
	if math.Abs(n) > mostMultiples {
		return nil, false
	}
	for n := int64(n); ; n++ {
		v := decimal(n*multiple, exponent)
		if v > high {
			return marks, true
		}
		if v < low {
			continue
		}
		m := a.mark(v, formatNumber(v))
		if len(marks) > 0 && !a.isFree(marks[len(marks)-1:], m) {
			return nil, false
		}
		marks = append(marks, m)
	}
}
