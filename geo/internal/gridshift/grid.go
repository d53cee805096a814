// Package gridshift holds grids of datum shifts: at each node, what to add to a latitude and a
// longitude. It parses the formats NTv2 and NADCON from bytes. Package geo calls it. It must never
// know files, datums, or which grid is right where.
package gridshift

import (
	"errors"
	"fmt"
	"math"
)

var (
	// ErrInvalid means that bytes are not a grid. The grids are the operator's, so a broken one is no
	// damage of an image.
	ErrInvalid = errors.New("invalid shift grid")
	// ErrLimit means that a grid is larger than is reasonable.
	ErrLimit = errors.New("shift grid over the limit")
)

const (
	degree = math.Pi / 180
	second = degree / 3600

	// maxShift is more than any datum moves a place, in radians.
	maxShift = degree

	// edge is how far beyond a grid, in radians, a point still belongs to it: rounding errors.
	edge = 1e-10
)

// Grid holds nested areas of nodes. It is immutable and safe for concurrent use.
type Grid struct{ areas []*area }

// area is a rectangle of nodes, with denser ones inside. Angles are radians.
type area struct {
	name                        string
	south, west                 float64
	latitudeStep, longitudeStep float64
	rows, columns               int
	shifts                      []float32 // for each node from the south-west to the east, then to the north: latitude, longitude
	children                    []*area
}

// newArea returns an area without shifts for a number of nodes that the caller has checked against
// the bytes that it has.
func newArea(name string, rows, columns int) (*area, error) {
	if rows < 2 || columns < 2 {
		return nil, fmt.Errorf("%w: %d x %d nodes", ErrInvalid, columns, rows)
	}
	return &area{name: name, rows: rows, columns: columns, shifts: make([]float32, 2*rows*columns)}, nil
}

// set sets the shifts of a node in radians.
func (a *area) set(row, column int, latitude, longitude float64) error {
	if !(math.Abs(latitude) <= maxShift && math.Abs(longitude) <= maxShift) {
		return fmt.Errorf("%w: a shift of %g, %g radians", ErrInvalid, latitude, longitude)
	}
	at := 2 * (row*a.columns + column)
	a.shifts[at], a.shifts[at+1] = float32(latitude), float32(longitude)
	return nil
}

// validate checks the extent, which a header gives.
func (a *area) validate() error {
	north := a.south + float64(a.rows-1)*a.latitudeStep
	east := a.west + float64(a.columns-1)*a.longitudeStep
	if !(a.latitudeStep > 0 && a.longitudeStep > 0 && a.south >= -1.6 && north <= 1.6 && a.west >= -6.4 && east <= 12.7) {
		return fmt.Errorf("%w: an extent of %g to %g and %g to %g radians", ErrInvalid, a.west, east, a.south, north)
	}
	return nil
}

// Bytes returns about how much memory the grid takes.
func (g *Grid) Bytes() int64 {
	bytes := int64(0)
	for _, a := range g.areas {
		bytes += a.bytes()
	}
	return bytes
}

func (a *area) bytes() int64 {
	const overhead = 256
	bytes := int64(overhead + 4*len(a.shifts))
	for _, child := range a.children {
		bytes += child.bytes()
	}
	return bytes
}

// At returns what to add to a place, all in radians. It returns false outside the grid.
func (g *Grid) At(longitude, latitude float64) (longitudeShift, latitudeShift float64, ok bool) {
	return g.near(longitude, latitude, edge)
}

// near returns the shift of a place, which may be outside the grid by a margin: there the outermost
// nodes continue.
func (g *Grid) near(longitude, latitude, margin float64) (longitudeShift, latitudeShift float64, ok bool) {
	for _, a := range g.areas {
		for _, turn := range [...]float64{0, 2 * math.Pi, -2 * math.Pi} {
			if a.contains(longitude+turn, latitude, margin) {
				longitudeShift, latitudeShift = a.densest(longitude+turn, latitude).interpolate(longitude+turn, latitude)
				return longitudeShift, latitudeShift, true
			}
		}
	}
	return 0, 0, false
}

// Inverse returns the place that the grid moves to the given one. It returns false if that is
// outside the grid.
func (g *Grid) Inverse(longitude, latitude float64) (fromLongitude, fromLatitude float64, ok bool) {
	fromLongitude, fromLatitude = longitude, latitude
	for range 20 {
		longitudeShift, latitudeShift, ok := g.At(fromLongitude, fromLatitude)
		if !ok { // the iteration may leave the grid and return
			longitudeShift, latitudeShift, ok = g.near(fromLongitude, fromLatitude, maxShift)
		}
		if !ok {
			return 0, 0, false
		}
		errorLongitude, errorLatitude := longitude-longitudeShift-fromLongitude, latitude-latitudeShift-fromLatitude
		fromLongitude, fromLatitude = fromLongitude+errorLongitude, fromLatitude+errorLatitude
		if math.Abs(errorLongitude)+math.Abs(errorLatitude) < 1e-13 {
			break
		}
	}
	_, _, ok = g.At(fromLongitude, fromLatitude)
	return fromLongitude, fromLatitude, ok
}

func (a *area) contains(longitude, latitude, margin float64) bool {
	x, y := longitude-a.west, latitude-a.south
	return x >= -margin && y >= -margin && x <= float64(a.columns-1)*a.longitudeStep+margin && y <= float64(a.rows-1)*a.latitudeStep+margin
}

// densest returns the innermost area around a place.
func (a *area) densest(longitude, latitude float64) *area {
	for _, child := range a.children {
		if child.contains(longitude, latitude, edge) {
			return child.densest(longitude, latitude)
		}
	}
	return a
}

// interpolate is bilinear between four nodes.
func (a *area) interpolate(longitude, latitude float64) (longitudeShift, latitudeShift float64) {
	x, y := (longitude-a.west)/a.longitudeStep, (latitude-a.south)/a.latitudeStep
	column, row := max(0, min(a.columns-2, int(x))), max(0, min(a.rows-2, int(y)))
	x, y = x-float64(column), y-float64(row)
	at := 2 * (row*a.columns + column)
	near, far := a.shifts[at:at+4], a.shifts[at+2*a.columns:at+2*a.columns+4]
	between := func(i int) float64 {
		south := float64(near[i])*(1-x) + float64(near[i+2])*x
		north := float64(far[i])*(1-x) + float64(far[i+2])*x
		return south*(1-y) + north*y
	}
	return between(1), between(0)
}
