package pyramid

import (
	"math"
	"sync"

	"tileserver/geo"
	"tileserver/raster"
)

// footprint is the rectangle of a lattice in which the image may be visible. Without it, planning a
// view of the world would project pixel by pixel to find an image under one of them.
type footprint struct {
	isKnown                bool    // false: the image may be visible anywhere
	minX, minY, maxX, maxY float64 // columns and rows
	period                 float64 // columns after which the image repeats around the globe; 0: it does not repeat
}

// Margins added to each side of a footprint: a fraction of its size, for edges that bulge between
// the points at which bounds are computed, and pixels, for interpolated positions.
const (
	footprintSlack  = 1.0 / 32
	footprintPixels = 2
)

// An extent beyond these limits reaches places where a projection is infinite or discontinuous.
// Bounds computed at sample points are then unreliable.
const (
	maxMeters       = 2e7 // half around the globe
	maxMetersAround = 8e7 // on maps that repeat around the globe
)

// footprint returns the footprint of the image on a lattice.
func (p *Pyramid) footprint(lattice geo.Lattice) footprint {
	if lattice.CRS == nil {
		return footprint{}
	}
	b, ok := p.boundsIn(lattice.CRS)
	if !ok || !p.isOnEarth() {
		return footprint{}
	}
	around, limit := aroundGlobe(lattice.CRS, b.Center()), maxMeters
	if around > 0 {
		limit = maxMetersAround
	}
	if max(b.Width(), b.Height())*lattice.CRS.MetersPerUnit() > limit ||
		around > 0 && !lattice.CRS.IsGeographic() && p.isNearPole() {
		return footprint{} // poles are infinitely far in cylindrical projections
	}
	f := footprint{isKnown: true}
	f.minX, f.maxX = withMargin((b.MinX-lattice.OriginX)/lattice.ResolutionX, (b.MaxX-lattice.OriginX)/lattice.ResolutionX)
	f.minY, f.maxY = withMargin((lattice.OriginY-b.MaxY)/lattice.ResolutionY, (lattice.OriginY-b.MinY)/lattice.ResolutionY)
	f.period = math.Abs(around / lattice.ResolutionX)
	return f
}

// isOnEarth reports whether the image stays within the domain of its CRS. If the domain ends inside
// the image, bounds are unreliable.
func (p *Pyramid) isOnEarth() bool {
	b := p.placement.Bounds(p.info.Levels[0].Width, p.info.Levels[0].Height)
	if p.crs.IsGeographic() {
		quarter := p.crs.HalfTurn() / 2
		return b.MinY >= -quarter && b.MaxY <= quarter
	}
	for _, corner := range [...]geo.Point{{X: b.MinX, Y: b.MinY}, {X: b.MaxX, Y: b.MinY}, {X: b.MinX, Y: b.MaxY}, {X: b.MaxX, Y: b.MaxY}} {
		if p.crs.ToLonLat(corner).IsNaN() {
			return false
		}
	}
	return true
}

// isNearPole reports whether the image extends further north or south than world maps do.
func (p *Pyramid) isNearPole() bool {
	const latitude = 84
	b, ok := p.boundsIn(geo.CRS84())
	return !ok || b.MaxY > latitude || b.MinY < -latitude
}

// withMargin returns the interval between a and b, in either order, with margins.
func withMargin(a, b float64) (low, high float64) {
	low, high = min(a, b), max(a, b)
	more := (high-low)*footprintSlack + footprintPixels
	return low - more, high + more
}

// aroundGlobe returns the distance to the east, in units of the CRS, after which a map shows the
// same place again, or 0 if it does not repeat. Cylindrical projections extend beyond their ends.
func aroundGlobe(crs *geo.CRS, at geo.Point) float64 {
	if crs.IsGeographic() {
		return 2 * crs.HalfTurn()
	}
	here := crs.ToLonLat(at)
	if here.IsNaN() {
		return 0
	}
	// At most one of a quarter turn east and a quarter turn west crosses the line where the
	// cylinder is cut.
	east := crs.FromLonLat(geo.Point{X: here.X + 90, Y: here.Y}).X - at.X
	west := crs.FromLonLat(geo.Point{X: here.X - 90, Y: here.Y}).X - at.X
	turn := 4 * min(math.Abs(east), math.Abs(west))
	behind, again := crs.ToLonLat(geo.Point{X: at.X + turn/2, Y: at.Y}), crs.ToLonLat(geo.Point{X: at.X + turn, Y: at.Y})
	if !isAround(here, behind, 180) || !isAround(here, again, 360) {
		return 0
	}
	return turn
}

// isAround reports whether to is from, moved east along its parallel by the given degrees.
func isAround(from, to geo.Point, degrees float64) bool {
	const tolerance = 1e-6
	return math.Hypot(math.Remainder(to.X-from.X-degrees, 360), to.Y-from.Y) <= tolerance
}

// touches reports whether the image may be visible in a rectangle of the lattice.
func (f *footprint) touches(r raster.Rect) bool {
	if !f.isKnown {
		return true
	}
	if float64(r.Y0) > f.maxY || float64(r.Y1) < f.minY {
		return false
	}
	turns := 0.0
	if f.period > 0 { // the first repetition that ends right of the left edge
		turns = math.Ceil((float64(r.X0) - f.maxX) / f.period)
	}
	return f.maxX+turns*f.period >= float64(r.X0) && f.minX+turns*f.period <= float64(r.X1)
}

// boundsCache caches the bounds of an image in the coordinate systems of its views.
type boundsCache struct {
	mu    sync.Mutex
	byKey map[string]geo.Bounds // by CRS key; empty Bounds mean none
}

// maxCachedBounds limits the cached systems: maps use a few, but clients may name thousands.
const maxCachedBounds = 64

// boundsIn is Bounds with a cache, because every view needs the bounds and computing them is slow.
func (p *Pyramid) boundsIn(crs *geo.CRS) (geo.Bounds, bool) {
	k := &p.bounds
	k.mu.Lock()
	b, ok := k.byKey[crs.Key()]
	k.mu.Unlock()
	if ok {
		return b, !b.Empty()
	}
	if b, ok = p.Bounds(crs); !ok {
		b = geo.Bounds{}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byKey == nil || len(k.byKey) >= maxCachedBounds {
		k.byKey = make(map[string]geo.Bounds)
	}
	k.byKey[crs.Key()] = b
	return b, ok
}
