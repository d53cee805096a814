package layer

import (
	"math"

	"tileserver/display"
	"tileserver/geo"
	"tileserver/pyramid"
)

// groundDistances returns the distances on the ground between neighboring pixels of a view, by row.
// They are measured in the middle column of the image, so that all views of a lattice have equal
// distances: the scale of a map changes with latitude, but little across the image.
func groundDistances(p *pyramid.Pyramid, view pyramid.View) *display.GroundSpacing {
	to := toLonLat(p, view.Lattice)
	column := middleColumn(p, view.Lattice)
	rows := view.Rect.Height()
	ground := &display.GroundSpacing{StepX: make([]float64, rows), StepY: make([]float64, rows)}
	for i := range rows {
		row := float64(view.Rect.Y0+i) + 0.5
		at := to(column, row)
		ground.StepX[i] = distance(at, to(column+1, row), math.Abs(view.Lattice.ResolutionX))
		ground.StepY[i] = distance(at, to(column, row+1), math.Abs(view.Lattice.ResolutionY))
	}
	return ground
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
func toLonLat(p *pyramid.Pyramid, lattice geo.Lattice) func(column, row float64) geo.Point {
	world := geo.WorldCRS84Quad().CRS
	switch {
	case lattice.CRS != nil:
		t := geo.NewTransform(lattice.CRS, world)
		return func(column, row float64) geo.Point { return t.Apply(lattice.At(column, row)) }
	case p.CRS() != nil:
		t := geo.NewTransform(p.CRS(), world)
		return func(column, row float64) geo.Point { return t.Apply(p.Placement().Place(lattice.At(column, row))) }
	}
	return func(column, row float64) geo.Point { return geo.Point{X: math.NaN(), Y: math.NaN()} }
}

// middleColumn returns the column of a lattice that contains the middle of the image.
func middleColumn(p *pyramid.Pyramid, lattice geo.Lattice) float64 {
	middle := float64(p.Provider().Info().Levels[0].Width) / 2
	if lattice.CRS != nil {
		bounds, ok := p.Bounds(lattice.CRS)
		if !ok {
			return 0
		}
		middle = bounds.Center().X
	}
	return math.Floor((middle-lattice.OriginX)/lattice.ResolutionX) + 0.5
}
