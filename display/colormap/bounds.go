package colormap

import "math"

// bounds counts how many numbers of an ascending list are not above a sample. It divides the range
// of the list into buckets of equal width and stores where each bucket lies in the list.
type bounds struct {
	ascending []float64 // followed by a NaN, which no sample reaches
	first     float64
	scale     float64 // buckets per unit

	// counts[i] is how many numbers lie in buckets before bucket i. For a sample in bucket i, the
	// number of list entries that are not above it is from counts[i] to counts[i+1].
	counts [bucketCount + 1]uint16
}

// bucketCount is small enough for the first-level cache and large enough that most buckets need no
// search.
const bucketCount = 1024

// newBounds builds the buckets of an ascending list. It relies on bucket being monotonic: numbers
// in an earlier bucket are below a sample, and numbers in a later one are above it.
func newBounds(ascending []float64) *bounds {
	count := len(ascending)
	b := &bounds{
		ascending: append(ascending, math.NaN()),
		first:     ascending[0],
		scale:     bucketCount / (ascending[count-1] - ascending[0]),
	}
	if !isFinite(b.scale) {
		b.scale = 0 // all in one bucket, which is searched
	}
	below := 0
	for i := range b.counts {
		for below < count && b.bucket(ascending[below]) < i {
			below++
		}
		b.counts[i] = uint16(below)
	}
	return b
}

// count returns the length of the list.
func (b *bounds) count() int { return len(b.ascending) - 1 }

// bucket returns the bucket of v. NaN is in the first.
func (b *bounds) bucket(v float64) int {
	position := (v - b.first) * b.scale
	if position >= bucketCount {
		return bucketCount - 1
	}
	if position > 0 {
		return int(position)
	}
	return 0
}

// notAbove returns how many numbers are not above v. A bucket with at most one number needs no
// branch: if it is empty, the next number is above v anyway.
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

// search returns how many numbers are not above v. The result must be from low to high.
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
