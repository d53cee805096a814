package pyramid

import (
	"math"

	"tileserver/geo"
)

// GroundDistances returns the distances on the ground between neighboring pixels of a view, along
// and across each row. They are measured in the middle column of the image, so that all views of a
// lattice have equal distances: the scale of a map changes with latitude, but little across the
// image.
func (p *Pyramid) GroundDistances(view View) (along, across []float64) {
	to := p.toLonLat(view.Lattice)
	column := p.middleColumn(view.Lattice)
	rows := view.Rect.Height()
	along, across = make([]float64, rows), make([]float64, rows)
	for i := range rows {
		row := float64(view.Rect.Y0+i) + 0.5
		at := to(column, row)
		along[i] = distance(at, to(column+1, row), math.Abs(view.Lattice.ResolutionX))
		across[i] = distance(at, to(column, row+1), math.Abs(view.Lattice.ResolutionY))
	}
	return along, across
}

// distance returns the distance of two places on the ground in meters, or unknown if it cannot be
// computed.
func distance(a, b geo.Point, unknown float64) float64 {
	if d := geo.GroundDistance(a, b); d > 0 && !math.IsInf(d, 0) {
		return d
	}
	return unknown
}

// toLonLat returns a function that maps columns and rows of a lattice to longitude and latitude. It
// returns NaN for an image without a place on the earth.
func (p *Pyramid) toLonLat(lattice geo.Lattice) func(column, row float64) geo.Point {
	world := geo.WorldCRS84Quad().CRS
	switch {
	case lattice.CRS != nil:
		t := geo.NewTransform(lattice.CRS, world)
		return func(column, row float64) geo.Point { return t.Apply(lattice.At(column, row)) }
	case p.crs != nil:
		t := geo.NewTransform(p.crs, world)
		return func(column, row float64) geo.Point { return t.Apply(p.placement.Place(lattice.At(column, row))) }
	}
	return func(column, row float64) geo.Point { return geo.Point{X: math.NaN(), Y: math.NaN()} }
}

// middleColumn returns the column of a lattice that contains the middle of the image.
func (p *Pyramid) middleColumn(lattice geo.Lattice) float64 {
	middle := float64(p.info.Levels[0].Width) / 2
	if lattice.CRS != nil {
		bounds, ok := p.Bounds(lattice.CRS)
		if !ok {
			return 0
		}
		middle = bounds.Center().X
	}
	return math.Floor((middle-lattice.OriginX)/lattice.ResolutionX) + 0.5
}
