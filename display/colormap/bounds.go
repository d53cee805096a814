package colormap

import "math"

// bounds tells how many numbers of an ascending list are not above a sample. It cuts what they
// span into buckets of one width, and knows of each where in the list it lies.
type bounds struct {
	ascending []float64 // and one behind them that nothing reaches
	first     float64
	scale     float64 // buckets a unit

	// counts are how many numbers lie in buckets before: no fewer are not above a sample of
	// that bucket, and no more than lie in it and before.
	counts [buckets + 1]uint16
}

// buckets are few enough to stay in the nearest cache, and enough to leave nothing to search
// in most of them.
const buckets = 1024

// newBounds relies on bucket never descending: what lies in an earlier bucket than a sample
// is below it, what lies in a later one is above it.
func newBounds(ascending []float64) *bounds {
	count := len(ascending)
	b := &bounds{
		ascending: append(ascending, math.NaN()),
		first:     ascending[0],
		scale:     buckets / (ascending[count-1] - ascending[0]),
	}
	if !isFinite(b.scale) {
		b.scale = 0 // all in one bucket, where they are searched
	}
	counted := 0
	for i := range b.counts {
		for counted < count && b.bucket(ascending[counted]) < i {
			counted++
		}
		b.counts[i] = uint16(counted)
	}
	return b
}

// count is how many there are.
func (b *bounds) count() int { return len(b.ascending) - 1 }

// bucket is where to look for v. What is not a number is looked for in the first.
func (b *bounds) bucket(v float64) int {
	place := (v - b.first) * b.scale
	if place >= buckets {
		return buckets - 1
	}
	if place > 0 {
		return int(place)
	}
	return 0
}

// notAbove is how many are not above v. Where at most one is in doubt it is asked for without
// a branch; where none is, the next is above v anyway.
func (b *bounds) notAbove(v float64) int {
	i := b.bucket(v)
	low, high := int(b.counts[i]), int(b.counts[i+1])
	if high > low+1 {
		return b.search(v, low, high)
	}
	more := 0
	if b.ascending[low] <= v {
		more = 1
	}
	return low + more
}

// search is how many are not above v, where that is at least low and at most high.
func (b *bounds) search(v float64, low, high int) int {
	for low < high {
		middle := int(uint(low+high) / 2)
		if b.ascending[middle] <= v {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
