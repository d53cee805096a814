package geo

import (
	"math"

	"tileserver/geo/internal/projection"
)

// A footprint divides each side of a rectangle into boundsSteps parts. It samples the inside on
// every sparseRows-th row.
const (
	boundsSteps = 40
	sparseRows  = 8
)

// maxMercatorLatitude is the edge of the square world of web maps.
const maxMercatorLatitude = 85.0511287798066

// TransformBounds returns a rectangle around the transformed one, including poles and curved edges.
// It ignores points outside the domain, and is empty if no point is inside. If the rectangle
// crosses the line where the other system is cut, the result extends to both ends of that system.
// It contains every point, except where an edge bends between two of its many sample points. The
// exception may be large if the domain of a system ends within the rectangle. Web Mercator ends at
// its square.
func TransformBounds(t Transform, b Bounds) Bounds {
	if t.IsIdentity() {
		return b
	}
	return NewFootprint(t.from, b).In(t.to)
}

// In returns the bounds of the rectangle in another system, as TransformBounds does.
func (f *Footprint) In(to *CRS) Bounds {
	t := NewTransform(f.area.crs, to)
	if t.IsIdentity() || f.bounds.Empty() {
		return f.bounds
	}
	around, seen := newExtremes(), &f.sparse
	if !seen.addTo(&around, t) {
		// The edge of the domain is inside the rectangle and needs denser samples.
		if f.dense.geodetic == nil {
			f.dense = sample(&f.area, 1)
		}
		seen = &f.dense
		seen.addTo(&around, t)
	}
	if seen.aroundWorld {
		addParallels(to, seen.geographic.bounds, &around)
	}
	if seen.aroundWorld || f.crosses(to.cutLongitude()) {
		addCut(to, seen.geographic.bounds, &around)
	}
	if to.method == projection.WebMercator {
		around.closeMercator(to, seen.geographic.bounds)
	}
	if around.bounds.Empty() {
		return Bounds{}
	}
	return around.bounds
}

// addTo adds the transformed points, and reports whether all are in the domain.
func (s *samples) addTo(around *extremes, t Transform) (complete bool) {
	complete = true
	for _, g := range s.geodetic {
		p := t.fromGeodetic(g.X, g.Y)
		around.add(p)
		complete = complete && !p.IsNaN()
	}
	return complete
}

// sample samples the edges of an area and every rows-th row between them.
func sample(a *area, rows int) samples {
	crs := a.crs
	s := samples{geographic: newExtremes(), geodetic: make([]Point, 0, 2*(boundsSteps+1)+(boundsSteps/rows+1)*(boundsSteps+1))}
	toLonLat := NewTransform(crs, wgs84())
	for row := range boundsSteps + 1 {
		stride := boundsSteps // both ends
		if row%rows == 0 {
			stride = 1
		}
		previous := outside()
		for column := 0; column <= boundsSteps; column += stride {
			p := a.at(column, row)
			longitude, latitude := crs.geodetic(p)
			s.geodetic = append(s.geodetic, Point{longitude, latitude})
			lonLat := p
			if !toLonLat.IsIdentity() {
				lonLat = toLonLat.fromGeodetic(longitude, latitude)
			}
			s.geographic.add(lonLat)
			s.aroundWorld = s.aroundWorld || stride == 1 && math.Abs(lonLat.X-previous.X) > 180
			previous = lonLat
		}
	}
	s.addLimb(a, toLonLat)
	if addPoles(a, &s.geographic) {
		s.aroundWorld, s.holdsPole = true, true
	}
	return s
}

// addLimb adds the part of the limb that lies in an area. There a pixel shows so much of the
// earth that samples between miss ten degrees.
func (s *samples) addLimb(a *area, toLonLat Transform) {
	crs := a.crs
	view, ok := crs.projection.(projection.Limbed)
	if !ok {
		return
	}
	const steps = 360
	for step := range steps {
		longitude, latitude := view.Limb(2 * math.Pi * float64(step) / steps)
		longitude += crs.primeMeridian
		if !a.holds(crs.coordinates(longitude, latitude)) {
			continue
		}
		s.geodetic = append(s.geodetic, Point{longitude, latitude})
		s.geographic.add(toLonLat.fromGeodetic(longitude, latitude))
	}
}

func between(from, to float64, step int) float64 {
	if step == boundsSteps {
		return to // exactly
	}
	return from + (to-from)*float64(step)/boundsSteps
}

// addPoles extends geographic bounds if a pole lies inside a projected area.
func addPoles(a *area, geographic *extremes) (found bool) {
	from := a.crs
	if from.IsGeographic() {
		return false
	}
	for _, latitude := range []float64{-90, 90} {
		// The pole is a single point only if every meridian leads to it.
		first, second := from.FromLonLat(Point{0, latitude}), from.FromLonLat(Point{90, latitude})
		if math.Hypot(first.X-second.X, first.Y-second.Y) < 1 && a.holds(first) {
			geographic.add(Point{-180, latitude})
			geographic.add(Point{180, latitude})
			found = true
		}
	}
	return found
}

// addParallels adds whole parallels, for a rectangle that goes around the world.
func addParallels(to *CRS, geographic Bounds, around *extremes) {
	t := NewTransform(wgs84(), to)
	for row := range boundsSteps + 1 {
		latitude := between(geographic.MinY, geographic.MaxY, row)
		for column := range boundsSteps + 1 {
			around.add(t.Apply(Point{between(-180, 180, column), latitude}))
		}
	}
}

// cutLongitude returns the longitude, in radians, where a system is cut: opposite to its central
// meridian.
func (c *CRS) cutLongitude() float64 {
	return c.primeMeridian + c.parameters.LongitudeOfOrigin*degreesToRadians + math.Pi
}

// crosses reports whether a rectangle of longitudes and latitudes crosses a meridian, on any turn
// of the globe.
func (f *Footprint) crosses(longitude float64) bool {
	if !f.area.crs.IsGeographic() {
		return false
	}
	turn := func(x float64) float64 {
		return math.Floor((x*f.area.crs.unit + f.area.crs.primeMeridian - longitude) / (2 * math.Pi))
	}
	return turn(f.bounds.MinX) != turn(f.bounds.MaxX)
}

// addCut adds both ends of a system at its cut.
func addCut(to *CRS, geographic Bounds, around *extremes) {
	const beside = 1e-9 // radians
	east := to.cutLongitude() - beside
	west := east - 2*math.Pi + 2*beside
	for row := range boundsSteps + 1 {
		latitude := between(geographic.MinY, geographic.MaxY, row) * degreesToRadians
		around.add(to.coordinates(east, latitude))
		around.add(to.coordinates(west, latitude))
	}
}

// extremes is the bounding rectangle of the points added so far.
type extremes struct{ bounds Bounds }

func newExtremes() extremes {
	return extremes{Bounds{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}}
}

func (e *extremes) add(p Point) {
	if p.IsNaN() {
		return
	}
	e.bounds = Bounds{min(e.bounds.MinX, p.X), min(e.bounds.MinY, p.Y), max(e.bounds.MaxX, p.X), max(e.bounds.MaxY, p.Y)}
}

// closeMercator replaces bounds beyond the square by its edge. The projection is infinite at the
// poles, so its last finite sample is meaningless.
func (e *extremes) closeMercator(mercator *CRS, geographic Bounds) {
	edge := mercator.FromLonLat(Point{180, maxMercatorLatitude})
	if geographic.MaxY >= maxMercatorLatitude {
		e.bounds.MaxY = edge.Y
	}
	if geographic.MinY <= -maxMercatorLatitude {
		e.bounds.MinY = -edge.Y
	}
}
