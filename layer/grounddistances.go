package layer

import (
	"math"

	"tileserver/display"
	"tileserver/geo"
	"tileserver/pyramid"
)

// groundOf is how far the pixels of a view are from each other on the ground. It is taken
// row by row at the middle of the image, so that all views of a lattice have the same: a
// map stretches with latitude, and hardly across the image.
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

// distance is that on the ground, or what it is taken for where the ground is unknown.
func distance(a, b geo.Point, unknown float64) float64 {
	if d := geo.GroundDistance(a, b); d > 0 && !math.IsInf(d, 0) {
		return d
	}
	return unknown
}

// groundPlaces maps columns and rows of a lattice to longitudes and latitudes, or to NaN for
// an image that lies nowhere.
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

// middleColumn is the column of a lattice in which the middle of the image lies.
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
