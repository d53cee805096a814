package ccitt

import "math"

// changes are where the colour changes in a row, in rising order: the first pixel of the first black run, of the white
// run after it, and so on. Two are equal where a run has no pixels: there are encoders that write such runs, and that
// count them when they code the row below.
//
// The changes lie between guards. The one before them lies before the row. Of those behind them the first three stand for
// the end of the row, as many as a pass mode looks at, and the last two stop a search for anything behind that.
type changes []int32

const (
	firstChange  = 1 // place of the first change
	rowEnds      = 3
	stops        = 2
	roomForEmpty = 64 // changes that a row may have beyond its pixels
)

// maxChanges is how many changes a row may have: each takes a bit of the source at least.
func maxChanges(width int, srcBytes int64) int {
	return int(min(int64(width), 8*srcBytes)) + roomForEmpty
}

// sized has room for a row of so many changes.
func (c changes) sized(most int) changes {
	if need := firstChange + most + rowEnds + stops; len(c) < need {
		c = make(changes, need)
	}
	c[0] = -1
	return c
}

// closed puts the guards behind the changes before the place n, without those that are at the row's end, and returns the
// place of the first guard.
func (c changes) closed(n, width int) (end int) {
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

// alternate reports whether every run up to the place end has pixels.
func (c changes) alternate(end int) bool {
	for n := firstChange + 1; n < end; n++ {
		if c[n] == c[n-1] {
			return false
		}
	}
	return true
}
