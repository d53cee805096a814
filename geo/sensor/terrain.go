package sensor

import (
	"math"
	"slices"

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
	hasGaps         bool    // some heights are unknown
}

// NewTerrain returns the terrain of a grid, which must not change afterwards.
func NewTerrain(g Grid) *Terrain {
	t := &Terrain{Grid: g, hasGaps: slices.ContainsFunc(g.Heights, func(height float32) bool { return height != height })}
	t.lowest, t.highest = t.rangeOf(0, 0, g.Columns, g.Rows)
	return t
}

// HeightAt returns the height at a point of the grid, from the four heights around it as far as they
// are known. ok is false if none is.
func (t *Terrain) HeightAt(at geo.Point) (height float64, ok bool) {
	var along [1]float64
	ok = t.HeightsAlong(along[:], Line{X: ToFixed(at.X), Y: ToFixed(at.Y)}, 0)
	return along[0], ok
}

// maxRangeHeights limits the cost of Range.
const maxRangeHeights = 1 << 12

// Range returns bounds of the heights within a rectangle of the grid. They are NaN if none is known.
// allKnown is false if some may be unknown.
func (t *Terrain) Range(within geo.Bounds) (lowest, highest float64, allKnown bool) {
	const margin = 1 // heights beyond the edges are interpolated too
	clamp := func(v float64, side int) int {
		if !(v > 0) { // NaN too
			return 0
		}
		return int(min(v, float64(side)))
	}
	isOnGrid := within.MinX >= 0 && within.MinY >= 0 && within.MaxX <= float64(t.Columns) && within.MaxY <= float64(t.Rows)
	left, top := clamp(math.Floor(within.MinX)-margin, t.Columns), clamp(math.Floor(within.MinY)-margin, t.Rows)
	right, bottom := clamp(math.Ceil(within.MaxX)+margin, t.Columns), clamp(math.Ceil(within.MaxY)+margin, t.Rows)
	if (right-left)*(bottom-top) > maxRangeHeights {
		return t.lowest, t.highest, isOnGrid && !t.hasGaps
	}
	lowest, highest = t.rangeOf(left, top, right, bottom)
	return lowest, highest, isOnGrid && !t.hasGaps
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
