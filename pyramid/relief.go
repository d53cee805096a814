package pyramid

import (
	"math"

	"tileserver/geo"
	"tileserver/geo/sensor"
	"tileserver/raster"
)

// ground is the ground of an image that a sensor saw aslant. Positions are planned as if it were
// level. Then each pixel is moved by the height under it, since heights change too much between the
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

// relief is the ground of a cell.
type relief struct {
	terrain *sensor.Terrain
	under   corners // columns and rows of the terrain, as sensor.Fixed
	zero    corners // positions at a height of 0

	// perMeter is how far each meter of height moves a position, in units of 1/2^perMeterBits of
	// those of positions.
	perMeter corners

	// moves bounds how far the heights of the cell move positions from those on level ground.
	moves positionRange

	// tolerance is how far positions may be from those under the heights of their own pixels.
	tolerance float64
}

const (
	perMeterBits = 16

	// reliefErrors is the interpolation error of the relief of a cell as a multiple of that of the
	// cell.
	reliefErrors = 0.5

	// maxMove, maxPerMeter and maxHeight keep positions within 64 bits. No sensor comes near them.
	maxMove     = maxPosition * onePixel
	maxPerMeter = 1 << 18 * onePixel
	maxHeight   = 1 << 14
)

// reliefOf returns the relief of a cell, or nil if its ground is level.
func (w *warp) reliefOf(k *cell) *relief {
	ground := w.projection.ground
	if ground == nil {
		return nil
	}
	var places, under [4]geo.Point
	r := &relief{terrain: ground.terrain, moves: newPositionRange(), tolerance: w.tolerance * reliefErrors * onePixel}
	for i := range places {
		places[i] = w.projection.ownPlace(k.corner(w.lattice, i))
		under[i] = ground.terrain.ToGrid(places[i])
		r.under.u[i], r.under.v[i] = int64(sensor.ToFixed(under[i].X)), int64(sensor.ToFixed(under[i].Y))
	}
	lowest, highest, areKnown := ground.terrain.Range(boundsOf(&under))
	const meter = 1 // at least, to measure how a height moves positions
	highest = max(highest, lowest+meter)
	if !(lowest > -maxHeight && highest < maxHeight) { // NaN too
		return nil
	}
	if !areKnown {
		r.moves.add(0, 0) // level ground
	}
	for i, place := range places {
		level := ground.placement.Pixel(place)
		low, high := w.move(level, ground.placement.PixelAt(place, lowest)), w.move(level, ground.placement.PixelAt(place, highest))
		perMeter := geo.Point{X: (high.X - low.X) / (highest - lowest), Y: (high.Y - low.Y) / (highest - lowest)}
		if !isWithin(low, maxMove) || !isWithin(high, maxMove) || !isWithin(perMeter, maxPerMeter) {
			return nil
		}
		r.moves.add(int64(low.X), int64(low.Y))
		r.moves.add(int64(high.X), int64(high.Y))
		r.zero.u[i], r.zero.v[i] = k.u[i]+int64(low.X-float64(perMeter.X*lowest)), k.v[i]+int64(low.Y-float64(perMeter.Y*lowest))
		r.perMeter.u[i], r.perMeter.v[i] = int64(perMeter.X*(1<<perMeterBits)), int64(perMeter.Y*(1<<perMeterBits))
	}
	r.moves.lowU, r.moves.lowV = r.moves.lowU-onePixel, r.moves.lowV-onePixel // more than rounding
	r.moves.highU, r.moves.highV = r.moves.highU+onePixel, r.moves.highV+onePixel
	return r
}

// corner returns one of the places between which the numbers of corners are interpolated.
func (k *cell) corner(lattice geo.Lattice, i int) geo.Point {
	size := 1 << k.shift
	return lattice.At(float64(k.x+i%2*size)+0.5, float64(k.y+i/2*size)+0.5)
}

// move returns how far apart two pixels of the finest level are, in units of positions.
func (w *warp) move(from, to geo.Point) geo.Point {
	return geo.Point{X: (to.X - from.X) / w.level.ScaleX * onePixel, Y: (to.Y - from.Y) / w.level.ScaleY * onePixel}
}

func isWithin(p geo.Point, most float64) bool { return math.Abs(p.X) < most && math.Abs(p.Y) < most }

func boundsOf(points *[4]geo.Point) geo.Bounds {
	a, b, c, d := points[0], points[1], points[2], points[3]
	return geo.Bounds{
		MinX: min(a.X, b.X, c.X, d.X), MinY: min(a.Y, b.Y, c.Y, d.Y),
		MaxX: max(a.X, b.X, c.X, d.X), MaxY: max(a.Y, b.Y, c.Y, d.Y),
	}
}

// grow extends a rectangle of level pixels by how far heights may move positions.
func (r *relief) grow(rect raster.Rect) raster.Rect {
	pixels := func(moved int64) int { return int(moved >> fractionBits) }
	return raster.Rect{
		X0: rect.X0 + pixels(r.moves.lowU), Y0: rect.Y0 + pixels(r.moves.lowV),
		X1: rect.X1 + pixels(r.moves.highU) + 1, Y1: rect.Y1 + pixels(r.moves.highV) + 1,
	}
}

// positionRange holds bounds of positions, or of how far they move.
type positionRange struct{ lowU, lowV, highU, highV int64 }

func newPositionRange() positionRange {
	return positionRange{math.MaxInt64, math.MaxInt64, math.MinInt64, math.MinInt64}
}

func (r *positionRange) isEmpty() bool { return r.highU < r.lowU }

func (r *positionRange) add(u, v int64) {
	r.lowU, r.lowV = min(r.lowU, u), min(r.lowV, v)
	r.highU, r.highV = max(r.highU, u), max(r.highV, v)
}

// along returns bounds of the positions between two pixels of a line after moves within r.
func (r *positionRange) along(l line, first, last int) positionRange {
	ends := newPositionRange()
	ends.add(l.at(first))
	ends.add(l.at(last))
	return positionRange{ends.lowU + r.lowU, ends.lowV + r.lowV, ends.highU + r.highU, ends.highV + r.highV}
}
