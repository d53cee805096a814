package legend

import (
	"math"
	"slices"
)

// An axis maps numbers to pixels along a bar and places their labels.
type axis struct {
	low, high float64 // at the first and at the last pixel
	first     int     // first pixel
	length    int     // in pixels
	flipped   bool    // low is at the last pixel

	// Labels may extend from minLabel up to maxLabel, beyond both ends of the bar, with gap
	// pixels between them.
	minLabel, maxLabel int
	gap                int
	extent             func(label string) int // size of a label along the bar
}

// A mark is a position on a bar. Its label is empty if there is no room for it.
type mark struct {
	at         int
	label      string
	labelStart int // where the label begins
}

func (m *mark) labelEnd(a *axis) int { return m.labelStart + a.extent(m.label) }

// position returns the pixel of a number.
func (a *axis) position(v float64) int {
	offset := int(math.Round(a.fraction(v) * float64(a.length-1)))
	if a.flipped {
		offset = a.length - 1 - offset
	}
	return a.first + offset
}

// fraction returns where a number lies along the axis, from 0 to 1. It halves numbers only if
// their difference overflows, because half of the smallest number is zero.
func (a *axis) fraction(v float64) float64 {
	if span := a.high - a.low; isFinite(span) {
		return (v - a.low) / span
	}
	return (v/2 - a.low/2) / (a.high/2 - a.low/2)
}

// mark returns a mark with its label centered, or as near to the center as there is room.
func (a *axis) mark(v float64, label string) mark {
	at, extent := a.position(v), a.extent(label)
	return mark{at, label, max(a.minLabel, min(at-(extent-1)/2, a.maxLabel-extent))}
}

// marks returns the limits, and as many round numbers between them as there is room for.
func (a *axis) marks() []mark {
	if !isFiniteRange(a.low, a.high) {
		return nil
	}
	span := math.Abs(a.high - a.low)
	first := a.mark(a.low, formatLimit(a.low, span))
	last := a.mark(a.high, formatLimit(a.high, span))
	labeled := []mark{first}
	if a.hasRoom(labeled, last) {
		labeled = append(labeled, last)
	}
	var unlabeled []mark
	for _, m := range a.roundMarks(span) {
		if m.at == first.at || m.at == last.at {
			continue
		}
		if a.hasRoom(labeled, m) {
			labeled = append(labeled, m)
		} else {
			unlabeled = append(unlabeled, mark{at: m.at})
		}
	}
	return append(labeled, unlabeled...)
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// isFiniteRange reports whether low and high are finite and differ.
func isFiniteRange(low, high float64) bool {
	return low != high && isFinite(low) && isFinite(high)
}

// hasRoom reports whether the label of m overlaps no other label.
func (a *axis) hasRoom(others []mark, m mark) bool {
	return !slices.ContainsFunc(others, func(other mark) bool {
		return m.labelStart < other.labelEnd(a)+a.gap && other.labelStart < m.labelEnd(a)+a.gap
	})
}

// roundMarks returns multiples of 1, 2 or 5 times a power of ten. It takes the smallest step at
// which labels do not overlap.
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

// maxMultiple limits multiples to numbers that a float64 can tell apart.
const maxMultiple = 1 << 50

// multiples returns the marks for one step. It reports false if their labels overlap.
func (a *axis) multiples(multiple int64, exponent int) (marks []mark, fit bool) {
	low, high := min(a.low, a.high), max(a.low, a.high)
	n := math.Floor(low / decimal(multiple, exponent))
	if math.Abs(n) > maxMultiple {
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
		if len(marks) > 0 && !a.hasRoom(marks[len(marks)-1:], m) {
			return nil, false
		}
		marks = append(marks, m)
	}
}
