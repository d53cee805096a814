package route

import (
	"math"
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

// A correction is how much longer batches take than was measured at first. The latest count most, and what
// nobody has seen again fades: a device that was slow for a while gets another chance.
type correction struct {
	measured, expected float64
	last               time.Time // when a batch was added
}

const (
	// correctionMemory is how much the sums keep when one more batch comes: about the last twenty count.
	correctionMemory = 0.95

	// maxSurprise bounds how much longer than expected one batch may count. It may have waited for something
	// that the next one will not.
	maxSurprise = 3

	// correctionLife is how long a correction takes to lose half of its effect.
	correctionLife = time.Minute
)

// add adds a batch that took some time, and should have taken some other without a correction.
func (c *correction) add(took, expected time.Duration) {
	most := maxSurprise * c.factor() * float64(expected)
	c.measured = c.measured*correctionMemory + min(float64(took), most)
	c.expected = c.expected*correctionMemory + float64(expected)
	c.last = time.Now()
}

// of corrects what was expected of a batch.
func (c *correction) of(expected time.Duration) time.Duration {
	return time.Duration(c.factor() * float64(expected))
}

// factor returns the correction, between a tenth and ten: no device is as wrong as that for long.
func (c *correction) factor() float64 {
	if c.expected <= 0 {
		return 1
	}
	faded := math.Exp2(-time.Since(c.last).Seconds() / correctionLife.Seconds())
	return min(max(1+(c.measured/c.expected-1)*faded, 0.1), 10)
}
