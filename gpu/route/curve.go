package route

import (
	"slices"
	"time"
)

// Point is how long a batch took.
type Point struct {
	Work int64
	Took time.Duration
}

// Curve is how long batches take that have more and more work: at least one point, by work.
type Curve []Point

// at returns the time for some work. Between two points it lies on the line between them. Less work than
// that of the first takes as long as that, since most of it is waiting. More than that of the last takes
// in proportion.
func (c Curve) at(work int64) time.Duration {
	i, _ := slices.BinarySearchFunc(c, work, func(p Point, work int64) int { return int(min(max(p.Work-work, -1), 1)) })
	switch {
	case i == 0:
		return c[0].Took
	case i == len(c):
		last := c[i-1]
		return time.Duration(float64(last.Took) * float64(work) / float64(last.Work))
	}
	a, b := c[i-1], c[i]
	part := float64(work-a.Work) / float64(b.Work-a.Work)
	return a.Took + time.Duration(part*float64(b.Took-a.Took))
}

// A correction is how much longer batches take than was measured at first. The latest count most.
type correction struct{ measured, expected float64 }

// correctionMemory is how much the sums keep when one more batch comes: about the last twenty count.
const correctionMemory = 0.95

// add adds a batch that took some time, and should have taken some other.
func (c *correction) add(took, expected time.Duration) {
	c.measured = c.measured*correctionMemory + float64(took)
	c.expected = c.expected*correctionMemory + float64(expected)
}

// factor returns the correction, between a tenth and ten: no device is as wrong as that for long.
func (c *correction) factor() float64 {
	if c.expected <= 0 {
		return 1
	}
	return min(max(c.measured/c.expected, 0.1), 10)
}
