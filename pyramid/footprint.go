package pyramid

import (
	"math"
	"sync"

	"tileserver/geo"
	"tileserver/raster"
)

// footprint is where on a lattice the image may be seen. A view of the world would otherwise
// be projected pixel by pixel to find out that the image is under one of them.
type footprint struct {
	isKnown                bool    // else, it may be seen anywhere
	minX, minY, maxX, maxY float64 // columns and rows
	turn                   float64 // columns after which it is seen again, around the globe; 0: it is not
}

// What is added to a footprint on each side: for edges that bulge between the places where
// bounds look, a part of its size; for positions that are interpolated, pixels.
const (
	footprintSlack  = 1.0 / 32
	footprintPixels = 2
)

// What is longer than that reaches to where a projection runs to infinity or is torn, and
// bounds that look at places here and there know nothing of that.
const (
	mostMeters       = 2e7 // half around the globe
	mostMetersAround = 8e7 // on maps that go around it
)

// footprint returns that of the image on a lattice.
func (p *Pyramid) footprint(lattice geo.Lattice) footprint {
	if lattice.CRS == nil {
		return footprint{}
	}
	b, ok := p.boundsIn(lattice.CRS)
	if !ok || !p.isOnEarth() {
		return footprint{}
	}
	around, most := aroundGlobe(lattice.CRS, b.Center()), mostMeters
	if around > 0 {
		most = mostMetersAround
	}
	if max(b.Width(), b.Height())*lattice.CRS.MetersPerUnit() > most ||
		around > 0 && !lattice.CRS.IsGeographic() && p.isNearPole() {
		return footprint{} // where a cylinder is unrolled, poles are infinitely far
	}
	f := footprint{isKnown: true}
	f.minX, f.maxX = grown((b.MinX-lattice.OriginX)/lattice.ResolutionX, (b.MaxX-lattice.OriginX)/lattice.ResolutionX)
	f.minY, f.maxY = grown((lattice.OriginY-b.MaxY)/lattice.ResolutionY, (lattice.OriginY-b.MinY)/lattice.ResolutionY)
	f.turn = math.Abs(around / lattice.ResolutionX)
	return f
}

// isOnEarth reports whether the image goes nowhere beyond what its system has places for: where
// that ends within it, bounds are not found well.
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

// isNearPole reports whether the image goes further north or south than maps of the world.
func (p *Pyramid) isNearPole() bool {
	const latitude = 84
	b, ok := p.boundsIn(geo.CRS84())
	return !ok || b.MaxY > latitude || b.MinY < -latitude
}

// grown returns an interval of pixels, whichever end comes first, with what is added to it.
func grown(a, b float64) (low, high float64) {
	low, high = min(a, b), max(a, b)
	more := (high-low)*footprintSlack + footprintPixels
	return low - more, high + more
}

// aroundGlobe returns how far east of a place of a system that place is again, all around the globe, or
// 0 if it is not: maps that unroll a cylinder go on beyond their ends.
func aroundGlobe(crs *geo.CRS, at geo.Point) float64 {
	if crs.IsGeographic() {
		return 2 * crs.HalfTurn()
	}
	here := crs.ToLonLat(at)
	if here.IsNaN() {
		return 0
	}
	// Of a quarter to the east and one to the west, one at most leads across the line where the
	// cylinder is cut, wherever that is.
	east := crs.FromLonLat(geo.Point{X: here.X + 90, Y: here.Y}).X - at.X
	west := crs.FromLonLat(geo.Point{X: here.X - 90, Y: here.Y}).X - at.X
	turn := 4 * min(math.Abs(east), math.Abs(west))
	behind, again := crs.ToLonLat(geo.Point{X: at.X + turn/2, Y: at.Y}), crs.ToLonLat(geo.Point{X: at.X + turn, Y: at.Y})
	if !isAround(here, behind, 180) || !isAround(here, again, 360) {
		return 0
	}
	return turn
}

// isAround reports whether a place is another that was moved along its parallel by some degrees.
func isAround(from, to geo.Point, degrees float64) bool {
	const tolerance = 1e-6
	return math.Hypot(math.Remainder(to.X-from.X-degrees, 360), to.Y-from.Y) <= tolerance
}

// touches reports whether the image may be seen in a rectangle of the lattice.
func (f *footprint) touches(r raster.Rect) bool {
	if !f.isKnown {
		return true
	}
	if float64(r.Y0) > f.maxY || float64(r.Y1) < f.minY {
		return false
	}
	turns := 0.0
	if f.turn > 0 { // the first time that it ends behind the left edge
		turns = math.Ceil((float64(r.X0) - f.maxX) / f.turn)
	}
	return f.maxX+turns*f.turn >= float64(r.X0) && f.minX+turns*f.turn <= float64(r.X1)
}

// keptBounds are the bounds of an image in the systems of its views.
type keptBounds struct {
	mu   sync.Mutex
	kept map[string]geo.Bounds // by the key of a system; empty where there are none
}

// maxKeptBounds is how many systems bounds are kept in: maps are of a few, and clients may
// name thousands.
const maxKeptBounds = 64

// boundsIn is Bounds, which takes a while to find and is asked for with every view.
func (p *Pyramid) boundsIn(crs *geo.CRS) (geo.Bounds, bool) {
	k := &p.bounds
	k.mu.Lock()
	b, ok := k.kept[crs.Key()]
	k.mu.Unlock()
	if ok {
		return b, !b.Empty()
	}
	if b, ok = p.Bounds(crs); !ok {
		b = geo.Bounds{}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil || len(k.kept) >= maxKeptBounds {
		k.kept = make(map[string]geo.Bounds)
	}
	k.kept[crs.Key()] = b
	return b, ok
}
