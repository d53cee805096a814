package ccitt

import "math"

// changes lists the changes of a row in increasing order: the first pixel of the first black run,
// of the following white run, and so on. Two changes are equal if a run is empty. Some encoders
// write empty runs, and count them when they code the next row.
//
// The changes lie between guards. One guard before them has index -1. Of the guards behind them,
// the first three equal the width, since a pass mode looks at up to three. The last two stop any
// search.
type changes []int32

const (
	firstChange   = 1 // index of the first change
	rowEnds       = 3
	stops         = 2
	emptyRunSlack = 64 // changes that a row may have in excess of its pixels, for empty runs
)

// maxChanges bounds the number of changes of a row. Each change takes at least one bit of the
// source.
func maxChanges(width int, srcBytes int64) int {
	return int(min(int64(width), 8*srcBytes)) + emptyRunSlack
}

// resized returns a slice with room for count changes, reusing c if possible.
func (c changes) resized(count int) changes {
	if need := firstChange + count + rowEnds + stops; len(c) < need {
		c = make(changes, need)
	}
	c[0] = -1
	return c
}

// terminate drops changes at the end of the row, and writes the guards behind the others. n is the
// index after the last change. It returns the index of the first guard.
func (c changes) terminate(n, width int) (end int) {
	for c[n-1] >= int32(width) {
		n--
	}
	for i := range rowEnds {
		c[n+i] = int32(width)
	}
	for i := range stops {
		c[n+rowEnds+i] = math.MaxInt32
	}
	return n
}

// alternate reports whether no run before index end is empty.
func (c changes) alternate(end int) bool {
	for n := firstChange + 1; n < end; n++ {
		if c[n] == c[n-1] {
			return false
		}
	}
	return true
}
