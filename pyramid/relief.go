package pyramid

import (
	"math"

	"tileserver/geo"
	"tileserver/geo/sensor"
	"tileserver/pyramid/resample"
	"tileserver/raster"
)

// ground is the ground of an image that a sensor saw aslant. Positions are planned as if it were
// level. Then each row is moved by the heights under it, since heights change too much between the
// corners of a cell for interpolation.
type ground struct {
	placement *sensor.Placement // on level ground
	terrain   *sensor.Terrain
}

// groundOf returns the ground of a placement, or nil if the placement is not on a terrain.
func groundOf(p geo.Placement) *ground {
	s, ok := p.(*sensor.Placement)
	if !ok || s.Terrain() == nil {
		return nil
	}
	return &ground{s.Level(), s.Terrain()}
}

// relief is the ground of a cell. Its corners are as those of the positions.
type relief struct {
	terrain *sensor.Terrain

	// columns and rows are those of the terrain under the corners.
	columns, rows [4]float64

	// lowest and highest are bounds of the heights of the cell.
	lowest, highest float64

	// lowestU and lowestV are how far the lowest height moves a position, and perMeterU and perMeterV
	// how far each meter above it does, in units of positions.
	lowestU, lowestV, perMeterU, perMeterV [4]float64

	// tolerance is how far positions may be from those under the heights of their own pixels.
	tolerance float64
}

// reliefOf returns the relief of a cell with the given side, or nil on level ground.
func (w *warp) reliefOf(x, y, size int) *relief {
	ground := w.projection.ground
	if ground == nil {
		return nil
	}
	r := &relief{terrain: ground.terrain, tolerance: w.tolerance * reliefErrors * onePixel}
	var places [4]geo.Point
	for i := range places {
		places[i] = w.projection.ownPlace(w.lattice.At(float64(x+i%2*size)+0.5, float64(y+i/2*size)+0.5))
		at := ground.terrain.ToGrid(places[i])
		r.columns[i], r.rows[i] = at.X, at.Y
	}
	r.lowest, r.highest = ground.terrain.Range(geo.Bounds{
		MinX: least(&r.columns), MinY: least(&r.rows), MaxX: most(&r.columns), MaxY: most(&r.rows),
	})
	if math.IsNaN(r.lowest) {
		return nil
	}
	const meter = 1 // at least, to measure how a height moves positions
	r.highest = max(r.highest, r.lowest+meter)
	for i, place := range places {
		level := ground.placement.Pixel(place)
		low, high := ground.placement.PixelAt(place, r.lowest), ground.placement.PixelAt(place, r.highest)
		unitU, unitV := onePixel/w.level.ScaleX, onePixel/w.level.ScaleY
		r.lowestU[i], r.lowestV[i] = (low.X-level.X)*unitU, (low.Y-level.Y)*unitV
		r.perMeterU[i] = (high.X - low.X) / (r.highest - r.lowest) * unitU
		r.perMeterV[i] = (high.Y - low.Y) / (r.highest - r.lowest) * unitV
	}
	return r
}

// grow extends a rectangle of level pixels by how far the heights of a cell may move positions.
func (r *relief) grow(rect raster.Rect) raster.Rect {
	before, after := r.moves(&r.lowestU, &r.perMeterU)
	above, below := r.moves(&r.lowestV, &r.perMeterV)
	return raster.Rect{X0: rect.X0 - before, Y0: rect.Y0 - above, X1: rect.X1 + after, Y1: rect.Y1 + below}
}

// moves returns bounds of how far positions are moved along one axis, in pixels.
func (r *relief) moves(lowest, perMeter *[4]float64) (before, after int) {
	var first, last float64 // level ground moves nothing
	for i, low := range lowest {
		high := low + perMeter[i]*(r.highest-r.lowest)
		first, last = min(first, low, high), max(last, low, high)
	}
	pixels := func(v float64) int { return int(math.Ceil(min(v/onePixel, maxPosition))) + 1 }
	return pixels(-first), pixels(last)
}

func least(v *[4]float64) float64 { return min(v[0], v[1], v[2], v[3]) }
func most(v *[4]float64) float64  { return max(v[0], v[1], v[2], v[3]) }

// reliefLine is a row of the relief of a cell. Its pixels are counted from the cell's first column.
type reliefLine struct {
	line    // on level ground
	size    int
	terrain *sensor.Terrain

	// start and step lead to the points of the terrain under the pixels.
	start, step geo.Point

	// zeroU and zeroV are how far a height of 0 moves a position, and perMeterU and perMeterV how far
	// each meter does.
	zeroU, zeroV, perMeterU, perMeterV interpolated

	mostU, mostV float64 // the largest of perMeterU and perMeterV, without their signs
	tolerance    float64 // as that of the relief
}

// interpolated is a number that changes evenly along a row of a cell.
type interpolated struct{ first, step float64 }

func (v interpolated) at(i float64) float64 { return v.first + float64(v.step*i) }

// most returns the largest number of a row of a cell with the given side, without the signs.
func (v interpolated) most(size float64) float64 { return max(math.Abs(v.first), math.Abs(v.at(size))) }

// line returns the row of the relief at row y of the lattice.
func (r *relief) line(k *cell, y int) reliefLine {
	size := float64(int(1) << k.shift)
	part := float64(y-k.y) / size
	along := func(v *[4]float64) interpolated {
		left, right := v[0]+float64((v[2]-v[0])*part), v[1]+float64((v[3]-v[1])*part)
		return interpolated{left, (right - left) / size}
	}
	column, row := along(&r.columns), along(&r.rows)
	l := reliefLine{
		line: k.line(y), size: 1 << k.shift, terrain: r.terrain, tolerance: r.tolerance,
		start: geo.Point{X: column.first, Y: row.first}, step: geo.Point{X: column.step, Y: row.step},
		perMeterU: along(&r.perMeterU), perMeterV: along(&r.perMeterV),
	}
	l.mostU, l.mostV = l.perMeterU.most(size), l.perMeterV.most(size)
	l.zeroU, l.zeroV = along(&r.lowestU).minus(l.perMeterU, r.lowest), along(&r.lowestV).minus(l.perMeterV, r.lowest)
	return l
}

// minus returns v less a multiple of another number.
func (v interpolated) minus(other interpolated, times float64) interpolated {
	return interpolated{v.first - float64(other.first*times), v.step - float64(other.step*times)}
}

// shift returns how far a height moves the position under a pixel. Where the height is unknown, the
// ground is level.
func (l *reliefLine) shift(pixel, height float64) (u, v int64) {
	if height != height {
		return 0, 0
	}
	return int64(l.zeroU.at(pixel) + float64(height*l.perMeterU.at(pixel))), int64(l.zeroV.at(pixel) + float64(height*l.perMeterV.at(pixel)))
}

// reliefErrors is the interpolation error of the relief of a cell as a multiple of that of the cell.
const reliefErrors = 0.5

// minStretch is the mean number of pixels between two lines of the terrain's grid from which on
// interpolation is cheaper than the heights of all pixels.
const minStretch = 5

// position is a position in a level.
type position struct{ u, v int64 }

// isSmooth reports whether the terrain is so coarse that positions are interpolated between some of
// the pixels.
func (l *reliefLine) isSmooth() bool {
	return minStretch*(math.Abs(l.step.X)+math.Abs(l.step.Y)) <= 1
}

// place writes the positions of pixels, the first of which is given, and returns their bounds.
func (l *reliefLine) place(to []position, first int) positionRange {
	var heights [resample.RowPixels]float64
	l.terrain.HeightsAlong(heights[:len(to)], l.start, l.step, first)
	r := newPositionRange()
	u, v := l.at(first)
	for i, height := range heights[:len(to)] {
		shiftU, shiftV := l.shift(float64(first+i), height)
		to[i] = position{u + shiftU, v + shiftV}
		r.add(u+shiftU, v+shiftV)
		u, v = u+l.stepU, v+l.stepV
	}
	return r
}

// path is a part of a row with positions on a line, which begins at the part.
type path struct {
	line
	first, end int // pixels of the row
}

// paths appends the paths of some pixels of smooth ground. Paths follow one another from the cell's
// first column, so that positions do not depend on which pixels are needed.
func (l *reliefLine) paths(to []path, first, end int) ([]path, positionRange) {
	r := newPositionRange()
	for at, next := 0, 0; at < end; at = next {
		s := l.terrain.StretchAt(l.start, l.step, at, l.size-at)
		steps := l.straightSteps(&s)
		next = at + steps + 1
		if next <= first {
			continue
		}
		p := path{l.along(at, &s, steps), max(at, first) - first, min(next, end) - first}
		p.u, p.v = p.at(p.first + first - at)
		r.add(p.u, p.v)
		r.add(p.at(p.end - 1 - p.first))
		to = append(to, p)
	}
	return to, r
}

// straightSteps returns how many steps along a stretch deviate by no more than the tolerance from a
// straight line. The deviation of n steps is at most n*n/8 times the second derivative, which is
// that of the height times perMeter.
func (l *reliefLine) straightSteps(s *sensor.Stretch) int {
	steps := float64(s.Points - 1)
	bend := math.Abs(2 * s.Bend)
	slope := math.Abs(s.Slope) + float64(bend*steps)
	curvature := max(
		float64(bend*l.mostU)+float64(2*slope*math.Abs(l.perMeterU.step)),
		float64(bend*l.mostV)+float64(2*slope*math.Abs(l.perMeterV.step)),
	)
	if curvature*steps*steps > 8*l.tolerance {
		return int(math.Sqrt(8 * l.tolerance / curvature))
	}
	return s.Points - 1
}

// along returns the line from the first point of a stretch, which is under a pixel, to that after
// some steps.
func (l *reliefLine) along(pixel int, s *sensor.Stretch, steps int) line {
	u, v := l.at(pixel)
	if s.Height != s.Height {
		return line{u, v, l.stepU, l.stepV}
	}
	shiftU, shiftV := l.shift(float64(pixel), s.Height)
	end, slope := float64(pixel+steps), s.Slope+float64(s.Bend*float64(steps))
	return line{
		u + shiftU, v + shiftV,
		l.stepU + int64(l.zeroU.step+float64(s.Height*l.perMeterU.step)+float64(slope*l.perMeterU.at(end))),
		l.stepV + int64(l.zeroV.step+float64(s.Height*l.perMeterV.step)+float64(slope*l.perMeterV.at(end))),
	}
}

// onGround is the scratch memory for a row with a relief.
type onGround struct {
	positions [resample.RowPixels]position
	paths     [resample.RowPixels]path
}

// placeOnGround is place for a cell with a relief, whose positions along a row are in no order.
func (g *geometry) placeOnGround(k *cell, y int) bool {
	if g.onGround == nil {
		g.onGround = new(onGround)
	}
	line, first := k.relief.line(k, y), k.rect.X0-k.x
	positions := g.onGround.positions[:g.N]
	if !line.isSmooth() {
		r := line.place(positions, first)
		if !g.isInside(r) {
			return g.placeNearEdge(positions)
		}
		g.setAll(positions)
		return true
	}
	paths, r := line.paths(g.onGround.paths[:0], first, first+g.N)
	if !g.isInside(r) {
		for i := range paths {
			paths[i].write(positions)
		}
		return g.placeNearEdge(positions)
	}
	for i := range paths {
		g.placeInside(paths[i].line, paths[i].first, paths[i].end)
	}
	return true
}

// write writes the positions of a path into those of its row.
func (p *path) write(row []position) {
	for i := range row[p.first:p.end] {
		u, v := p.at(i)
		row[p.first+i] = position{u, v}
	}
}

// isInside reports whether the positions of a row are all plain, and sets the bounds of the row if
// they are.
func (g *geometry) isInside(r positionRange) bool {
	g.AnyOutside = !g.isPlain(r.lowU, r.lowV) || !g.isPlain(r.highU, r.highV)
	if g.AnyOutside {
		return false
	}
	g.setRange(r.lowU, r.lowV, r.highU, r.highV)
	return true
}

// placeNearEdge places a row of positions that may leave the image.
func (g *geometry) placeNearEdge(positions []position) bool {
	r := newPositionRange()
	for i, p := range positions {
		u, seesAcross := g.across.clamp(p.u)
		v, seesDown := g.down.clamp(p.v)
		if g.Outside[i] = !seesAcross || !seesDown; g.Outside[i] {
			continue
		}
		r.add(u, v)
		g.set(i, u, v)
	}
	if r.isEmpty() {
		return false
	}
	g.fillOutside()
	g.setRange(r.lowU, r.lowV, r.highU, r.highV)
	return true
}

// positionRange holds bounds of positions.
type positionRange struct{ lowU, lowV, highU, highV int64 }

func newPositionRange() positionRange {
	return positionRange{math.MaxInt64, math.MaxInt64, math.MinInt64, math.MinInt64}
}

func (r *positionRange) isEmpty() bool { return r.highU < r.lowU }

func (r *positionRange) add(u, v int64) {
	r.lowU, r.lowV = min(r.lowU, u), min(r.lowV, v)
	r.highU, r.highV = max(r.highU, u), max(r.highV, v)
}
