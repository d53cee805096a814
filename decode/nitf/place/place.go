// Package place finds where an image of a NITF file lies on earth, from the texts and extensions
// that say so. Package decode/nitf calls it. It must never know how an image is stored.
package place

import (
	"fmt"
	"math"

	"tileserver/decode"
	"tileserver/decode/georeference"
	"tileserver/geo"
)

// ErrCorrupt marks coordinates that cannot be read.
var ErrCorrupt = decode.Corrupt("corrupt coordinates")

// The codes of reference systems in the EPSG registry.
const (
	wgs84         = 4326
	firstUTMNorth = 32600 // of zone 0
	firstUTMSouth = 32700
)

// Corners are the coordinates of the corners of an image: upper left, upper right, lower right,
// lower left.
type Corners struct {
	CRS    *geo.CRS
	Points [4]geo.Point

	// AreCenters says that the coordinates are those of the centers of the corner pixels, and not
	// of their outer corners.
	AreCenters bool
}

// Georeference returns where an image lies: an affine transform if one maps all corners well,
// otherwise the corners as control points.
func (c *Corners) Georeference(width, height int) georeference.Georeference {
	g := georeference.Georeference{CRS: c.CRS, ControlPoints: c.controlPoints(width, height)}
	if a, ok := affine(g.ControlPoints); ok {
		g.Affine, g.HasAffine, g.ControlPoints = a, true, nil
	}
	return g
}

// Distinct returns how many of the corners differ. Those of a small image may not, since their
// notation rounds them.
func (c *Corners) Distinct() int {
	all := make(map[geo.Point]bool)
	for _, p := range c.Points {
		all[p] = true
	}
	return len(all)
}

func (c *Corners) controlPoints(width, height int) []georeference.ControlPoint {
	low, right, bottom := 0., float64(width), float64(height)
	if c.AreCenters {
		const half = 0.5
		low, right, bottom = half, right-half, bottom-half
	}
	points := make([]georeference.ControlPoint, len(c.Points))
	for i, at := range [4][2]float64{{low, low}, {right, low}, {right, bottom}, {low, bottom}} {
		points[i] = georeference.ControlPoint{
			Name:   [4]string{"UpperLeft", "UpperRight", "LowerRight", "LowerLeft"}[i],
			Column: at[0], Row: at[1], X: c.Points[i].X, Y: c.Points[i].Y,
		}
	}
	return points
}

// affine returns the transform that maps four corners, if it is off by a quarter of a pixel at
// most.
func affine(p []georeference.ControlPoint) (a geo.Affine, ok bool) {
	width, height := p[1].Column-p[0].Column, p[3].Row-p[0].Row
	if width <= 0 || height <= 0 {
		return a, false
	}
	// The corners are those of a rectangle, so the best transform has the means of its sides.
	a.A, a.D = (p[1].X-p[0].X+p[2].X-p[3].X)/2/width, (p[1].Y-p[0].Y+p[2].Y-p[3].Y)/2/width
	a.B, a.E = (p[3].X-p[0].X+p[2].X-p[1].X)/2/height, (p[3].Y-p[0].Y+p[2].Y-p[1].Y)/2/height
	centerX, centerY := (p[0].X+p[1].X+p[2].X+p[3].X)/4, (p[0].Y+p[1].Y+p[2].Y+p[3].Y)/4
	column, row := (p[0].Column+p[1].Column)/2, (p[0].Row+p[3].Row)/2
	a.C, a.F = centerX-column*a.A-row*a.B, centerY-column*a.D-row*a.E
	a.B, a.D = withoutRounding(a.B, a.A), withoutRounding(a.D, a.E)
	if _, ok := a.Invert(); !ok {
		return a, false
	}
	const most = 0.25
	pixel := (math.Abs(a.A) + math.Abs(a.B) + math.Abs(a.D) + math.Abs(a.E)) / 2
	for _, c := range p {
		at := a.Apply(geo.Point{X: c.Column, Y: c.Row})
		if math.Abs(at.X-c.X) > most*pixel || math.Abs(at.Y-c.Y) > most*pixel {
			return a, false
		}
	}
	return a, true
}

// withoutRounding returns 0 for a number that is only the rounding of another one.
func withoutRounding(v, beside float64) float64 {
	const rounding = 1e-12
	if math.Abs(v) < rounding*math.Abs(beside) {
		return 0
	}
	return v
}

// inOneZone converts points of UTM zones to the zone of the first.
func inOneZone(points [4]geo.Point, codes [4]int) (*Corners, error) {
	c := &Corners{AreCenters: true, Points: points}
	for i, code := range codes {
		crs, err := geo.ByCode(code)
		if err != nil {
			return nil, fmt.Errorf("corner %d: %w: %w", i+1, err, ErrCorrupt)
		}
		if i == 0 {
			c.CRS = crs
		} else if code != codes[0] {
			c.Points[i] = c.CRS.FromLonLat(crs.ToLonLat(points[i]))
		}
	}
	return c, nil
}

// geographic returns corners in longitude and latitude.
func geographic(points [4]geo.Point) (*Corners, error) {
	for i, p := range points {
		if !(math.Abs(p.X) <= 360 && math.Abs(p.Y) <= 90) {
			return nil, fmt.Errorf("corner %d at longitude %v and latitude %v: %w", i+1, p.X, p.Y, ErrCorrupt)
		}
	}
	const halfCircle, circle = 180, 360
	for i := range points { // an image across the antimeridian goes on beyond it
		switch east := points[i].X - points[0].X; {
		case east > halfCircle:
			points[i].X -= circle
		case east < -halfCircle:
			points[i].X += circle
		}
	}
	crs, err := geo.ByCode(wgs84)
	if err != nil {
		return nil, err
	}
	return &Corners{CRS: crs, Points: points, AreCenters: true}, nil
}
