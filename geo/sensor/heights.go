package sensor

import "math"

// Line is a line of points that lie evenly on a grid. They are in fixed point, so that they are the
// same wherever the line is entered.
type Line struct{ X, Y, StepX, StepY Fixed }

// Fixed is a column or row of a grid in units of 1/2^FixedBits.
type Fixed int64

// FixedBits is the precision of Fixed, and that of a float32 between 0 and 1.
const FixedBits = 24

const fixedOne = 1 << FixedBits

// ToFixed returns a column or row. One that is farther than any height is brought nearer, so that it
// can be multiplied by the number of pixels of a row. NaN is such a one.
func ToFixed(v float64) Fixed {
	const farthest = 1 << 28
	if !(v > -farthest) {
		v = -farthest
	}
	return Fixed(math.Round(min(v, farthest) * fixedOne))
}

func (v Fixed) whole() int { return int(v >> FixedBits) }

// fraction returns what is behind the whole number.
func (v Fixed) fraction() float32 { return float32(int32(v&(fixedOne-1))) * (1.0 / fixedOne) }

func (v Fixed) number() float64 { return float64(v) * (1.0 / fixedOne) }

// at returns a point, whose coordinates count from the center of the first height.
func (l *Line) at(i int) (x, y Fixed) {
	return l.X + l.StepX*Fixed(i) - fixedOne/2, l.Y + l.StepY*Fixed(i) - fixedOne/2
}

// HeightsAlong writes the heights at points of a line, where to[i] is that of point from+i. Heights
// that are not known are NaN. allKnown is false if there are some.
func (t *Terrain) HeightsAlong(to []float64, l Line, from int) (allKnown bool) {
	if !t.isAmongHeights(l.at(from)) || !t.isAmongHeights(l.at(from+len(to)-1)) {
		return t.heightsOverEdge(to, l, from)
	}
	t.heightsAmong(to, l, from) // all points lie between two that are among heights
	return !t.hasGaps || t.fillGaps(to, l, from)
}

// isAmongHeights reports whether a point lies between four heights of the grid.
func (t *Terrain) isAmongHeights(x, y Fixed) bool {
	return x >= 0 && y >= 0 && x.whole() < t.Columns-1 && y.whole() < t.Rows-1
}

// heightsAmong is HeightsAlong for points among heights. A height is NaN if one of the four around
// it is not known.
func (t *Terrain) heightsAmong(to []float64, l Line, from int) {
	heights, columns := t.Heights, t.Columns
	x, y := l.at(from)
	for i := range to {
		right, below := x.fraction(), y.fraction()
		upper := y.whole()*columns + x.whole()
		lower := upper + columns
		a, b, c, d := heights[upper], heights[upper+1], heights[lower], heights[lower+1]
		above := a + float32(right*(b-a)) // rounded, so that machines agree
		to[i] = float64(above + float32(below*(c+float32(right*(d-c))-above)))
		x, y = x+l.StepX, y+l.StepY
	}
}

// fillGaps writes the heights that are NaN, from those of the four around them that are known.
func (t *Terrain) fillGaps(to []float64, l Line, from int) (allKnown bool) {
	allKnown = true
	for i, height := range to {
		if height != height {
			to[i] = t.heightAtGap(l.at(from + i))
			allKnown = allKnown && to[i] == to[i]
		}
	}
	return allKnown
}

// heightsOverEdge is HeightsAlong for points that may lie at the edges of the grid or beyond.
func (t *Terrain) heightsOverEdge(to []float64, l Line, from int) (allKnown bool) {
	for i := range to {
		to[i] = math.NaN()
		if t.isAmongHeights(l.at(from + i)) {
			t.heightsAmong(to[i:i+1], l, from+i)
		}
	}
	return t.fillGaps(to, l, from)
}

// heightAtGap returns the height at a point around which some of the four heights are not known or
// beyond the edge of the grid. It is NaN if none is known.
func (t *Terrain) heightAtGap(x, y Fixed) float64 {
	const half = fixedOne / 2
	if x < -half || y < -half || x > Fixed(t.Columns)*fixedOne-half || y > Fixed(t.Rows)*fixedOne-half {
		return math.NaN()
	}
	at := func(column, row int) float64 {
		return float64(t.Heights[min(max(row, 0), t.Rows-1)*t.Columns+min(max(column, 0), t.Columns-1)])
	}
	column, row := x.whole(), y.whole()
	four := [4]float64{at(column, row), at(column+1, row), at(column, row+1), at(column+1, row+1)}
	return meanOfKnown(four, float64(x.fraction()), float64(y.fraction()))
}

// Stretch is a part of a line of points on which the height changes evenly. At its point i, which
// counts from 0, the height is Height + i*Slope + i*i*Bend. The numbers are NaN where it is unknown.
type Stretch struct {
	Points              int
	Height, Slope, Bend float64
}

// StretchAt returns the stretch that begins at a point of a line. It has at most as many points as
// told.
func (t *Terrain) StretchAt(l Line, from, most int) Stretch {
	x, y := l.at(from)
	p, ok := t.patchAt(x, y)
	if !ok {
		return Stretch{Points: 1, Height: t.heightAtGap(x, y)}
	}
	right, below := float64(x.fraction()), float64(y.fraction())
	stepX, stepY := l.StepX.number(), l.StepY.number()
	across, down := p.across+float64(below*p.twist), p.down+float64(right*p.twist)
	return Stretch{
		Points: 1 + min(most-1, stepsWithin(x, l.StepX), stepsWithin(y, l.StepY)),
		Height: p.height + float64(right*p.across) + float64(below*down),
		Slope:  float64(stepX*across) + float64(stepY*down),
		Bend:   float64(stepX*stepY) * p.twist,
	}
}

// stepsWithin returns how many steps from a coordinate lead to none behind another whole number.
func stepsWithin(at, step Fixed) int {
	behind := at & (fixedOne - 1)
	switch {
	case step > 0:
		return int((fixedOne - 1 - behind) / step)
	case step < 0:
		return int(behind / -step)
	}
	return math.MaxInt
}

// patch is the surface between four heights.
type patch struct {
	height              float64 // the first of them
	across, down, twist float64 // how the height changes
}

// patchAt returns the patch at a point. Its numbers are NaN if none of its heights is known. ok is
// false if some are not, and near the edges of the grid.
func (t *Terrain) patchAt(x, y Fixed) (p patch, ok bool) {
	if !t.isAmongHeights(x, y) {
		return p, false
	}
	upper := t.Heights[y.whole()*t.Columns+x.whole():]
	lower := upper[t.Columns:]
	a, b, c, d := float64(upper[0]), float64(upper[1]), float64(lower[0]), float64(lower[1])
	p = patch{a, b - a, c - a, d - c - (b - a)}
	isKnown, isHole := p.twist == p.twist, a != a && b != b && c != c && d != d
	return p, isKnown || isHole
}

// meanOfKnown returns the mean of those of four heights that are not NaN, row by row. right and
// below are the weights of the second column and row. The mean is NaN if none is known.
func meanOfKnown(heights [4]float64, right, below float64) float64 {
	weights := [4]float64{(1 - right) * (1 - below), right * (1 - below), (1 - right) * below, right * below}
	var sum, weight float64
	for i, h := range heights {
		if h == h {
			sum += float64(weights[i] * h)
			weight += weights[i]
		}
	}
	return sum / weight
}
