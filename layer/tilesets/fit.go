package tilesets

import (
	"math"

	"tileserver/geo"
	"tileserver/pyramid"
)

// Fitting returns the sets that a georeferenced image fits: registered ones and custom ones. lonLat
// are the bounds of its footprint in degrees.
func Fitting(p *pyramid.Pyramid, footprint *geo.Footprint, lonLat geo.Bounds, custom []*geo.TileMatrixSet) []TileSet {
	var sets []TileSet
	for _, set := range geo.RegisteredTileMatrixSets() {
		if set.Suits(p.CRS(), lonLat) {
			sets = appendFitting(sets, p, footprint.In(set.CRS), set)
		}
	}
	for _, set := range custom {
		if bounds := footprint.In(set.CRS); overlaps(set, bounds, lonLat) {
			sets = appendFitting(sets, p, bounds, set)
		}
	}
	return sets
}

// overlaps reports whether an image and the tiles of a set share an area on the earth. Projected
// bounds are unreliable far from where a projection is valid, so the shared area must also be near
// the image in longitude and latitude.
func overlaps(set *geo.TileMatrixSet, bounds, lonLat geo.Bounds) bool {
	if set.CRS.IsGeographic() {
		return true // appendFitting compares the bounds
	}
	shared := bounds.Intersect(set.Extent())
	there := geo.NewFootprint(set.CRS, shared).In(geo.CRS84())
	for _, turn := range []float64{-360, 0, 360} {
		turned := geo.Bounds{MinX: there.MinX + turn, MinY: there.MinY, MaxX: there.MaxX + turn, MaxY: there.MaxY}
		if !turned.Intersect(lonLat).Empty() {
			return true
		}
	}
	return false
}

func appendFitting(sets []TileSet, p *pyramid.Pyramid, bounds geo.Bounds, set *geo.TileMatrixSet) []TileSet {
	if s, ok := fit(p, bounds, set); ok {
		return append(sets, s)
	}
	return sets
}

// maxDetailLoss is how much coarser than the image the last useful level may be.
const maxDetailLoss = 1.1

// fit returns a set with the useful range of levels for an image: from the last level on
// which the image fits into about one tile, to the first that shows all of its detail. ok is false
// if the image lies outside of the set.
func fit(p *pyramid.Pyramid, bounds geo.Bounds, set *geo.TileMatrixSet) (TileSet, bool) {
	extent := set.Extent()
	if set.CRS.IsGeographic() {
		bounds = wrapLongitudes(bounds, extent.Center().X, set.CRS.HalfTurn())
	}
	bounds = bounds.Intersect(extent)
	finest, err := p.Resolution(set.CRS)
	if bounds.Empty() || err != nil || !(finest > 0) || math.IsInf(finest, 0) {
		return TileSet{}, false
	}
	s := TileSet{Set: set, MaxZoom: len(set.Matrices) - 1, Bounds: bounds}
	for z := range set.Matrices {
		m := &set.Matrices[z]
		if m.Resolution*float64(m.TileWidth) >= bounds.Width() && m.Resolution*float64(m.TileHeight) >= bounds.Height() {
			s.MinZoom = z
		}
		if m.Resolution <= finest*maxDetailLoss {
			s.MaxZoom = z
			break
		}
	}
	return s, true
}

// wrapLongitudes shifts bounds of longitude and latitude by whole turns toward middle, the center
// of a map. Bounds that cross the edge of the map are extended to its full width.
func wrapLongitudes(b geo.Bounds, middle, half float64) geo.Bounds {
	turns := 2 * half * math.Round((middle-b.Center().X)/(2*half))
	b.MinX, b.MaxX = b.MinX+turns, b.MaxX+turns
	if b.MinX < middle-half || b.MaxX > middle+half {
		b.MinX, b.MaxX = middle-half, middle+half
	}
	return b
}
