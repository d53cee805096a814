package geo

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
)

// ControlPoint is a pixel with a known place.
type ControlPoint struct{ Pixel, Place Point }

// ErrControlPoints means that control points do not determine the placement of an image.
var ErrControlPoints = errors.New("the control points do not place the image")

// ControlPointPlacement is a placement by control points. It uses a polynomial if one fits the
// points, or else a thin plate spline, the smoothest surface through all of them.
type ControlPointPlacement struct {
	toPixel, toPlace, straight fit
	near                       Bounds // around the points; far from them only straight is reliable
	residual                   float64
	points                     int
	bounds                     atomic.Pointer[boundsOfSize] // the latest result; an image has one size
}

// boundsOfSize holds the bounds of an image of one size. Computing them takes thousands of
// evaluations.
type boundsOfSize struct {
	width, height int
	bounds        Bounds
}

var _ Placement = (*ControlPointPlacement)(nil)

const (
	// fineResidual is the acceptable distance, in pixels, between control points and a polynomial.
	// It is about the accuracy of manual placement or of a sensor model.
	fineResidual = 1.0

	// pointsForBends is the minimum number of points for a polynomial of second order, which has
	// six coefficients.
	pointsForBends = 7

	// maxSplinePoints limits the equations of a spline. From more points, an even selection is
	// used.
	maxSplinePoints = 400
)

// FitControlPoints returns a placement for control points in crs. It fits the pixel as a function
// of the place, which rendering needs. Place is the inverse.
func FitControlPoints(points []ControlPoint, crs *CRS) (*ControlPointPlacement, error) {
	points = acrossAntimeridian(dropUnusable(points), crs)
	if len(points) < 3 {
		return nil, fmt.Errorf("%w: it takes at least three different ones, and there are %d", ErrControlPoints, len(points))
	}
	places, pixels := make([]Point, len(points)), make([]Point, len(points))
	for i, p := range points {
		places[i], pixels[i] = p.Place, p.Pixel
	}
	straight, ok := fitPolynomial(places, pixels, 1)
	back, okBack := fitPolynomial(pixels, places, 1)
	if !ok || !okBack {
		return nil, fmt.Errorf("%w: they lie on a line", ErrControlPoints)
	}
	p := &ControlPointPlacement{toPixel: straight, toPlace: back, straight: straight, points: len(points)}
	p.near = boundsOf(places)
	p.near = Bounds{
		p.near.MinX - p.near.Width()/2, p.near.MinY - p.near.Height()/2,
		p.near.MaxX + p.near.Width()/2, p.near.MaxY + p.near.Height()/2,
	}
	p.residual = residual(straight, places, pixels)
	if p.residual <= fineResidual {
		return p, nil
	}
	if len(points) >= pointsForBends {
		p.adopt(places, pixels, func(from, to []Point) (fit, bool) { return fitPolynomial(from, to, 2) })
	}
	if p.residual > fineResidual {
		p.adopt(sampleEvenly(places), sampleEvenly(pixels), fitSpline)
	}
	return p, nil
}

// adopt replaces the fit by a better one, if that exists in both directions.
func (p *ControlPointPlacement) adopt(places, pixels []Point, make func(from, to []Point) (fit, bool)) {
	toPixel, ok := make(places, pixels)
	toPlace, okBack := make(pixels, places)
	if !ok || !okBack {
		return
	}
	if r := residual(toPixel, places, pixels); r < p.residual {
		p.toPixel, p.toPlace, p.residual = toPixel, toPlace, r
	}
}

// dropUnusable drops points with NaN or infinite coordinates, and all but the first of points with
// the same pixel or place.
func dropUnusable(points []ControlPoint) []ControlPoint {
	var kept []ControlPoint
	pixels, places := make(map[Point]bool), make(map[Point]bool)
	for _, p := range points {
		sum := p.Pixel.X + p.Pixel.Y + p.Place.X + p.Place.Y
		if math.IsNaN(sum) || math.IsInf(sum, 0) || pixels[p.Pixel] || places[p.Place] {
			continue
		}
		pixels[p.Pixel], places[p.Place] = true, true
		kept = append(kept, p)
	}
	return kept
}

// acrossAntimeridian makes longitudes continuous if the image crosses the antimeridian.
func acrossAntimeridian(points []ControlPoint, crs *CRS) []ControlPoint {
	if crs == nil || !crs.IsGeographic() {
		return points
	}
	lowest, highest := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		lowest, highest = min(lowest, p.Place.X), max(highest, p.Place.X)
	}
	if highest-lowest <= 180 {
		return points
	}
	on := make([]ControlPoint, len(points))
	for i, p := range points {
		if p.Place.X < 0 {
			p.Place.X += 360
		}
		on[i] = p
	}
	return on
}

// sampleEvenly returns an even selection of at most maxSplinePoints points.
func sampleEvenly(points []Point) []Point {
	if len(points) <= maxSplinePoints {
		return points
	}
	chosen := make([]Point, maxSplinePoints)
	for i := range chosen {
		chosen[i] = points[i*(len(points)-1)/(maxSplinePoints-1)]
	}
	return chosen
}

func boundsOf(points []Point) Bounds {
	b := Bounds{points[0].X, points[0].Y, points[0].X, points[0].Y}
	for _, p := range points {
		b = Bounds{min(b.MinX, p.X), min(b.MinY, p.Y), max(b.MaxX, p.X), max(b.MaxY, p.Y)}
	}
	return b
}

// residual returns the largest distance between a fit and its points.
func residual(f fit, from, to []Point) float64 {
	worst := 0.0
	for i, p := range from {
		q := f.at(p)
		worst = max(worst, math.Hypot(q.X-to[i].X, q.Y-to[i].Y))
	}
	return worst
}

// Pixel returns the pixel at a place.
func (p *ControlPointPlacement) Pixel(place Point) Point {
	if !p.near.Contains(place) {
		return p.straight.at(place)
	}
	return p.toPixel.at(place)
}

// Place returns the place of a pixel. It inverts Pixel by Newton's method from a nearby start.
func (p *ControlPointPlacement) Place(pixel Point) Point {
	const (
		steps = 12
		close = 1e-7 // pixels
		nudge = 1e-6 // as a fraction of the extent of the points
	)
	first := p.toPlace.at(pixel)
	place := first
	dx, dy := nudge*p.near.Width(), nudge*p.near.Height()
	for range steps {
		at := p.Pixel(place)
		missX, missY := pixel.X-at.X, pixel.Y-at.Y
		if math.Hypot(missX, missY) < close {
			return place
		}
		east, north := p.Pixel(Point{place.X + dx, place.Y}), p.Pixel(Point{place.X, place.Y + dy})
		slope := Affine{A: (east.X - at.X) / dx, B: (north.X - at.X) / dy, D: (east.Y - at.Y) / dx, E: (north.Y - at.Y) / dy}
		inverse, ok := slope.Invert()
		if !ok {
			return first
		}
		place.X += inverse.A*missX + inverse.B*missY
		place.Y += inverse.D*missX + inverse.E*missY
	}
	if at := p.Pixel(place); math.Hypot(pixel.X-at.X, pixel.Y-at.Y) < 1 {
		return place
	}
	return first
}

// Bounds returns the bounding rectangle of an image, whose edges may be curved.
func (p *ControlPointPlacement) Bounds(width, height int) Bounds {
	if last := p.bounds.Load(); last != nil && last.width == width && last.height == height {
		return last.bounds
	}
	found := &boundsOfSize{width, height, BoundsAround(width, height, p.Place)}
	p.bounds.Store(found)
	return found.bounds
}

// Residual returns the largest distance between the placement and its points in pixels.
func (p *ControlPointPlacement) Residual() float64 { return p.residual }

// String describes the placement.
func (p *ControlPointPlacement) String() string {
	return fmt.Sprintf("%v through %d control points, off by %.2g pixels at most", p.toPixel, p.points, p.residual)
}
