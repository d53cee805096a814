package pyramid

import (
	"math"

	"tileserver/geo"
	"tileserver/geo/sensor"
	"tileserver/pyramid/resample"
	"tileserver/raster"
)

// ground is the ground of an image that a sensor saw aslant. Positions are planned as if it were
// level. Then each pixel is moved by the height of its own place, since heights change too much
// between the corners of a cell for interpolation.
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
}

// reliefOf returns the relief of a cell with the given side, or nil on level ground.
func (w *warp) reliefOf(x, y, size int) *relief {
	ground := w.projection.ground
	if ground == nil {
		return nil
	}
	r := &relief{terrain: ground.terrain}
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

// reliefLine is a row of the relief of a cell.
type reliefLine struct {
	terrain                                *sensor.Terrain
	lowest                                 float64
	column, row                            interpolated
	lowestU, lowestV, perMeterU, perMeterV interpolated
}

// interpolated is a number that changes evenly along a row of a cell.
type interpolated struct{ first, step float64 }

func (v interpolated) at(i float64) float64 { return v.first + float64(v.step*i) }

// line returns the row of the relief at row y of the lattice.
func (r *relief) line(k *cell, y int) reliefLine {
	size := float64(int(1) << k.shift)
	part := float64(y-k.y) / size
	along := func(v *[4]float64) interpolated {
		left, right := v[0]+float64((v[2]-v[0])*part), v[1]+float64((v[3]-v[1])*part)
		return interpolated{left, (right - left) / size}
	}
	return reliefLine{
		terrain: r.terrain, lowest: r.lowest, column: along(&r.columns), row: along(&r.rows),
		lowestU: along(&r.lowestU), lowestV: along(&r.lowestV), perMeterU: along(&r.perMeterU), perMeterV: along(&r.perMeterV),
	}
}

// heights writes the heights under pixels, the first of which is x columns right of the cell's first.
func (l *reliefLine) heights(to []float64, x int) {
	start, step := geo.Point{X: l.column.first, Y: l.row.first}, geo.Point{X: l.column.step, Y: l.row.step}
	l.terrain.HeightsAlong(to, start, step, x)
}

// move moves positions by the heights under them. The first pixel is x columns right of the cell's
// first. Where the height is unknown, the ground is level.
func (l *reliefLine) move(positions []position, heights []float64, x int) {
	for i, height := range heights {
		if height != height {
			continue
		}
		height -= l.lowest
		column, p := float64(x+i), &positions[i]
		p.u += int64(l.lowestU.at(column) + float64(height*l.perMeterU.at(column)))
		p.v += int64(l.lowestV.at(column) + float64(height*l.perMeterV.at(column)))
	}
}

// position is a position in a level.
type position struct{ u, v int64 }

// onGround is the scratch memory for a row with a relief.
type onGround struct {
	heights   [resample.RowPixels]float64
	positions [resample.RowPixels]position
}

// placeOnGround is place for a cell with a relief, whose positions along a row are in no order.
func (g *geometry) placeOnGround(k *cell, y int) bool {
	line, relief := k.line(y), k.relief.line(k, y)
	first := k.rect.X0 - k.x
	heights, positions := g.onGround.heights[:g.N], g.onGround.positions[:g.N]
	u, v := line.at(first)
	for i := range positions {
		positions[i] = position{u, v}
		u += line.stepU
		v += line.stepV
	}
	relief.heights(heights, first)
	relief.move(positions, heights, first)
	r := rangeOf(positions)
	if g.AnyOutside = !g.isPlain(r.lowU, r.lowV) || !g.isPlain(r.highU, r.highV); g.AnyOutside {
		return g.placeNearEdge(positions)
	}
	g.setAll(positions)
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

// rangeOf returns the bounds of positions.
func rangeOf(positions []position) positionRange {
	r := positionRange{math.MaxInt64, math.MaxInt64, math.MinInt64, math.MinInt64}
	for _, p := range positions {
		r.add(p.u, p.v)
	}
	return r
}

// positionRange holds bounds of positions.
type positionRange struct{ lowU, lowV, highU, highV int64 }

func newPositionRange() positionRange { return positionRange{math.MaxInt64, math.MaxInt64, -1, -1} }

func (r *positionRange) isEmpty() bool { return r.highU < 0 }

func (r *positionRange) add(u, v int64) {
	r.lowU, r.lowV = min(r.lowU, u), min(r.lowV, v)
	r.highU, r.highV = max(r.highU, u), max(r.highV, v)
}
