package geo

import (
	"math"

	"tileserver/geo/internal/projection"
)

// TransformBounds cuts each side of a rectangle into boundsSteps parts, and looks at the inside on every so many rows.
const (
	boundsSteps = 40
	sparseRows  = 8
)

// maxMercatorLatitude is where the square world of web maps ends.
const maxMercatorLatitude = 85.0511287798066

// TransformBounds is a rectangle around the transformed one, poles and bent edges included. Points outside the domain are
// left out; where nothing is inside, it is empty. Across the antimeridian it spans the whole world, so that it always
// holds every point. Web Mercator ends at its square.
func TransformBounds(t Transform, b Bounds) Bounds {
	if t.IsIdentity() || b.Empty() {
		return b
	}
	around, geographic := newExtremes(), newExtremes()
	aroundWorld, complete := sample(t, b, sparseRows, &around, &geographic)
	if !complete {
		// The edge of the domain runs somewhere inside, and says more than that of the rectangle.
		dense, _ := sample(t, b, 1, &around, &geographic)
		aroundWorld = aroundWorld || dense
	}
	if addPoles(t.from, b, &geographic) || aroundWorld {
		addParallels(t.to, geographic.bounds, &around)
	}
	if t.to.method == projection.WebMercator {
		around.closeMercator(t.to, geographic.bounds)
	}
	if around.bounds.Empty() {
		return Bounds{}
	}
	return around.bounds
}

// sample transforms points on the edges and on every so many rows between. It tells whether neighbours on a row lie on both
// sides of the antimeridian, and whether all points are in the domain.
func sample(t Transform, b Bounds, rows int, around, geographic *extremes) (aroundWorld, complete bool) {
	complete = true
	toLonLat := NewTransform(t.from, wgs84())
	for row := range boundsSteps + 1 {
		stride := boundsSteps // both ends
		if row%rows == 0 {
			stride = 1
		}
		previous := outside()
		for column := 0; column <= boundsSteps; column += stride {
			p := Point{between(b.MinX, b.MaxX, column), between(b.MinY, b.MaxY, row)}
			q := t.Apply(p)
			around.add(q)
			complete = complete && !q.IsNaN()
			lonLat := toLonLat.Apply(p)
			geographic.add(lonLat)
			aroundWorld = aroundWorld || stride == 1 && math.Abs(lonLat.X-previous.X) > 180
			previous = lonLat
		}
	}
	return aroundWorld, complete
}

func between(from, to float64, step int) float64 {
	if step == boundsSteps {
		return to // exactly
	}
	return from + (to-from)*float64(step)/boundsSteps
}

// addPoles widens geographic bounds where a pole lies inside a projected rectangle.
func addPoles(from *CRS, b Bounds, geographic *extremes) (found bool) {
	if from.IsGeographic() {
		return false
	}
	for _, latitude := range []float64{-90, 90} {
		// The pole is a point only where every meridian leads to it.
		first, second := from.FromLonLat(Point{0, latitude}), from.FromLonLat(Point{90, latitude})
		if math.Hypot(first.X-second.X, first.Y-second.Y) < 1 && b.Contains(first) {
			geographic.add(Point{-180, latitude})
			geographic.add(Point{180, latitude})
			found = true
		}
	}
	return found
}

// addParallels adds whole parallels, for a rectangle that goes around the world.
func addParallels(to *CRS, geographic Bounds, around *extremes) {
	for row := range boundsSteps + 1 {
		latitude := between(geographic.MinY, geographic.MaxY, row)
		for column := range boundsSteps + 1 {
			around.add(to.FromLonLat(Point{between(-180, 180, column), latitude}))
		}
	}
}

// extremes grows around points.
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

// closeMercator puts the edge of the square in place of what lies beyond: there the projection runs to infinity, and its
// last finite sample says nothing.
func (e *extremes) closeMercator(mercator *CRS, geographic Bounds) {
	edge := mercator.FromLonLat(Point{180, maxMercatorLatitude})
	if geographic.MaxY >= maxMercatorLatitude {
		e.bounds.MaxY = edge.Y
	}
	if geographic.MinY <= -maxMercatorLatitude {
		e.bounds.MinY = -edge.Y
	}
}
