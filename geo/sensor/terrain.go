package sensor

import (
	"math"

	"tileserver/geo"
)

// Grid is a grid of heights of the ground in meters above the ellipsoid.
type Grid struct {
	Name string // of where the heights are from, for people
	Key  string // identifies the heights and their places: equal keys mean equal terrains

	Columns, Rows int
	Heights       []float32 // row by row; NaN where the height is unknown

	// ToGrid returns the column and row of a place in degrees of longitude and latitude. The first
	// height belongs to 0.5, 0.5.
	ToGrid func(place geo.Point) geo.Point
}

// Terrain is ground that is not level. Heights are interpolated bilinearly between those of a grid.
type Terrain struct {
	Grid
	lowest, highest float64 // of all heights
}

// NewTerrain returns the terrain of a grid, which must not change afterwards.
func NewTerrain(g Grid) *Terrain {
	t := &Terrain{Grid: g}
	t.lowest, t.highest = t.rangeOf(0, 0, g.Columns, g.Rows)
	return t
}

// HeightAt returns the height at a point of the grid, from the four heights around it as far as they
// are known. ok is false if none is.
func (t *Terrain) HeightAt(at geo.Point) (height float64, ok bool) {
	var along [1]float64
	t.HeightsAlong(along[:], at, geo.Point{}, 0)
	return along[0], along[0] == along[0]
}

// HeightsAlong writes the heights at points that lie evenly on a line. The point of to[i] is from+i
// steps behind start. Heights that are not known are NaN.
func (t *Terrain) HeightsAlong(to []float64, start, step geo.Point, from int) {
	l := lineOfPoints{geo.Point{X: start.X - centerOfPixel, Y: start.Y - centerOfPixel}, step}
	end := from + len(to) - 1
	switch {
	case t.isAmongHeights(l.at(from)) && t.isAmongHeights(l.at(end)): // and so all between
		t.heightsAmong(to, l, from)
		for i, height := range to {
			if height != height {
				to[i] = t.heightAtGap(l.at(from + i))
			}
		}
	case len(to) == 1:
		to[0] = t.heightAtGap(l.at(from))
	default:
		for i := range to {
			t.HeightsAlong(to[i:i+1], start, step, from+i)
		}
	}
}

// lineOfPoints is a line of points that lie evenly. Their coordinates count from the center of the
// first height.
type lineOfPoints struct{ start, step geo.Point }

func (l *lineOfPoints) at(i int) (x, y float64) {
	n := float64(i)
	return l.start.X + float64(l.step.X*n), l.start.Y + float64(l.step.Y*n)
}

// heightsAmong is HeightsAlong for points among heights. It is NaN where one of four is not known.
func (t *Terrain) heightsAmong(to []float64, l lineOfPoints, from int) {
	heights, columns := t.Heights, t.Columns
	for i := range to {
		x, y := l.at(from + i)
		column, row := int(x), int(y)
		right, below := x-float64(column), y-float64(row)
		upper := row*columns + column
		lower := upper + columns
		a, b, c, d := float64(heights[upper]), float64(heights[upper+1]), float64(heights[lower]), float64(heights[lower+1])
		above := a + float64(right*(b-a))
		to[i] = above + float64(below*(c+float64(right*(d-c))-above))
	}
}

// isAmongHeights reports whether a point lies between four heights of the grid.
func (t *Terrain) isAmongHeights(x, y float64) bool {
	return x >= 0 && y >= 0 && x < float64(t.Columns-1) && y < float64(t.Rows-1)
}

// heightAtGap returns the height at a point around which some of the four heights are not known or
// beyond the edge of the grid. It is NaN if none is known.
func (t *Terrain) heightAtGap(x, y float64) float64 {
	const half = centerOfPixel
	if !(x >= -half && y >= -half && x <= float64(t.Columns)-half && y <= float64(t.Rows)-half) {
		return math.NaN()
	}
	left, top := math.Floor(x), math.Floor(y)
	at := func(column, row int) float64 {
		return float64(t.Heights[min(max(row, 0), t.Rows-1)*t.Columns+min(max(column, 0), t.Columns-1)])
	}
	column, row := int(left), int(top)
	return meanOfKnown([4]float64{at(column, row), at(column+1, row), at(column, row+1), at(column+1, row+1)}, x-left, y-top)
}

// patch is the surface between four heights.
type patch struct {
	column, row         float64 // of the first height, from 0
	height              float64
	across, down, twist float64 // how the height changes
}

// patchAt returns the patch at a point. Its numbers are NaN if none of its heights is known. ok is
// false if some are not, and near the edges of the grid.
func (t *Terrain) patchAt(x, y float64) (p patch, ok bool) {
	if !t.isAmongHeights(x, y) {
		return p, false
	}
	column, row := int(x), int(y)
	upper, lower := t.Heights[row*t.Columns+column:], t.Heights[(row+1)*t.Columns+column:]
	a, b, c, d := float64(upper[0]), float64(upper[1]), float64(lower[0]), float64(lower[1])
	p = patch{float64(column), float64(row), a, b - a, c - a, d - c - (b - a)}
	isKnown, isHole := p.twist == p.twist, a != a && b != b && c != c && d != d
	return p, isKnown || isHole
}

// Stretch is a part of a line of points on which the height changes evenly. At its point i, which
// counts from 0, the height is Height + i*Slope + i*i*Bend. The numbers are NaN where it is unknown.
type Stretch struct {
	Points              int
	Height, Slope, Bend float64
}

// StretchAt returns the stretch that begins at a point of a line, which lies from steps behind start.
// The stretch has at most as many points as told.
func (t *Terrain) StretchAt(start, step geo.Point, from, most int) Stretch {
	l := lineOfPoints{geo.Point{X: start.X - centerOfPixel, Y: start.Y - centerOfPixel}, step}
	x, y := l.at(from)
	p, ok := t.patchAt(x, y)
	if !ok {
		return Stretch{Points: 1, Height: t.heightAtGap(x, y)}
	}
	right, below := x-p.column, y-p.row
	across, down := p.across+float64(below*p.twist), p.down+float64(right*p.twist)
	steps := float64(most - 1)
	if n := stepsWithin(right, step.X); n < steps {
		steps = n
	}
	if n := stepsWithin(below, step.Y); n < steps {
		steps = n
	}
	return Stretch{
		Points: 1 + int(steps),
		Height: p.height + float64(right*p.across) + float64(below*down),
		Slope:  float64(step.X*across) + float64(step.Y*down),
		Bend:   float64(step.X*step.Y) * p.twist,
	}
}

// stepsWithin returns how many steps from a number do not leave the interval from 0 to 1, which does
// not contain 1. It may be infinite, and need not be whole.
func stepsWithin(at, step float64) float64 {
	if step < 0 {
		return at / -step
	}
	return math.Ceil((1-at)/step) - 1
}

// meanOfKnown returns the mean of those of four heights that are not NaN, row by row. right and below
// are the weights of the second column and row. The mean is NaN if none is known.
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

// maxRangeHeights limits the cost of Range.
const maxRangeHeights = 1 << 12

// Range returns bounds of the heights within a rectangle of the grid. They are NaN if none is known.
func (t *Terrain) Range(within geo.Bounds) (lowest, highest float64) {
	const margin = 1 // heights beyond the edges are interpolated too
	clamp := func(v float64, side int) int {
		if !(v > 0) { // NaN too
			return 0
		}
		return int(min(v, float64(side)))
	}
	left, top := clamp(math.Floor(within.MinX)-margin, t.Columns), clamp(math.Floor(within.MinY)-margin, t.Rows)
	right, bottom := clamp(math.Ceil(within.MaxX)+margin, t.Columns), clamp(math.Ceil(within.MaxY)+margin, t.Rows)
	if (right-left)*(bottom-top) > maxRangeHeights {
		return t.lowest, t.highest
	}
	return t.rangeOf(left, top, right, bottom)
}

func (t *Terrain) rangeOf(left, top, right, bottom int) (lowest, highest float64) {
	lowest, highest = math.NaN(), math.NaN()
	for row := top; row < bottom; row++ {
		for _, height := range t.Heights[row*t.Columns+left : row*t.Columns+right] {
			if h := float64(height); !(h >= lowest) && h == h {
				lowest = h
			}
			if h := float64(height); !(h <= highest) && h == h {
				highest = h
			}
		}
	}
	return lowest, highest
}

// Over returns the placement on a terrain. Where the terrain has no height, that of p is used.
func (p *Placement) Over(t *Terrain) *Placement {
	over := &Placement{
		model: p.model, height: p.height, terrain: t, toFull: p.toFull, fromFull: p.fromFull,
		straight: p.straight, back: p.back,
	}
	over.key = over.computeKey()
	return over
}

// Level returns the placement on level ground, at the height of p.
func (p *Placement) Level() *Placement { return p.Over(nil) }

// PixelAt returns the pixel that shows a place at a height.
func (p *Placement) PixelAt(place geo.Point, height float64) geo.Point {
	normal := p.model.normal(place)
	if !isNear(normal) {
		return p.fromFull.Apply(p.straight.Apply(normal))
	}
	return p.fromFull.Apply(p.model.pixel(normal, height))
}

// heightAt returns the height of the ground at a place.
func (p *Placement) heightAt(place geo.Point) float64 {
	if p.terrain == nil {
		return p.height
	}
	if height, ok := p.terrain.HeightAt(p.terrain.ToGrid(place)); ok {
		return height
	}
	return p.height
}

// Reach returns the bounds of an image for all heights that its model was made for.
func (p *Placement) Reach(width, height int) geo.Bounds {
	at := func(ground float64) geo.Bounds {
		return geo.BoundsAround(width, height, func(pixel geo.Point) geo.Point {
			normal, _ := p.invert(p.toFull.Apply(pixel), ground)
			return p.model.place(normal)
		})
	}
	low, middle, high := at(p.model.HeightOffset-p.model.HeightScale), at(p.height), at(p.model.HeightOffset+p.model.HeightScale)
	return geo.Bounds{
		MinX: min(low.MinX, middle.MinX, high.MinX), MinY: min(low.MinY, middle.MinY, high.MinY),
		MaxX: max(low.MaxX, middle.MaxX, high.MaxX), MaxY: max(low.MaxY, middle.MaxY, high.MaxY),
	}
}

// The search for the ground that a pixel shows ends when the height changes by less than
// heightError, in meters. It gives up after heightSteps, which happens where the sensor looks along
// a slope.
const (
	heightError = 0.01
	heightSteps = 32
)

// ground returns the normal point at which the line of sight of a pixel of the full image meets the
// ground. ok is false if the inverse of the model is not found.
func (p *Placement) ground(full geo.Point) (normal geo.Point, ok bool) {
	height := p.height
	normal, ok = p.invert(full, height)
	if p.terrain == nil {
		return normal, ok
	}
	for step := range heightSteps {
		if !ok {
			return normal, false
		}
		found := p.heightAt(p.model.place(normal))
		if math.Abs(found-height) < heightError {
			break
		}
		if step < heightSteps/4 {
			height = found
		} else { // steep slopes make it swing
			height = (height + found) / 2
		}
		normal, ok = p.invert(full, height)
	}
	return normal, ok
}
