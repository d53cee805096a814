package geo

import (
	"cmp"
	"math"
)

// Transform converts points from one CRS to another. It is a value, allocates nothing and is safe
// to share.
type Transform struct {
	from, to           *CRS
	route              route
	fromGrids, toGrids *datumGrids // of routeDatumShift; or nil
}

type route uint8

const (
	routeIdentity   route = iota // coordinates are equal
	routeSameDatum               // latitudes and longitudes are equal
	routeDatumShift              // via geocentric coordinates
)

// NewTransform prepares a conversion by the shortest route.
func NewTransform(from, to *CRS) Transform {
	switch {
	case from == to || from.key == to.key || from.sameCoordinates(to):
		return Transform{from: from, to: to, route: routeIdentity}
	case from.datum.same(&to.datum):
		return Transform{from: from, to: to, route: routeSameDatum}
	}
	grids := cmp.Or(from.grids, to.grids)
	return Transform{from, to, routeDatumShift, grids.of(from), grids.of(to)}
}

func (c *CRS) sameCoordinates(other *CRS) bool {
	return c.datum.same(&other.datum) && c.datum.ellipsoid == other.datum.ellipsoid &&
		c.primeMeridian == other.primeMeridian && c.method == other.method && c.unit == other.unit &&
		c.parameters == other.parameters
}

// Inverse returns the inverse transform.
func (t Transform) Inverse() Transform {
	return Transform{t.to, t.from, t.route, t.toGrids, t.fromGrids}
}

// IsIdentity reports whether Apply returns points unchanged.
func (t Transform) IsIdentity() bool { return t.route == routeIdentity }

// Apply converts one point. Outside the domain it returns NaN in both members.
func (t Transform) Apply(p Point) Point {
	if t.route == routeIdentity {
		return p
	}
	return t.fromGeodetic(t.from.geodetic(p))
}

// fromGeodetic is the second half of Apply. It starts from radians on the datum of t.from.
func (t Transform) fromGeodetic(longitude, latitude float64) Point {
	if t.route == routeDatumShift {
		longitude, latitude = t.shiftDatum(longitude, latitude)
	}
	return t.to.coordinates(longitude, latitude)
}

func (t Transform) shiftDatum(longitude, latitude float64) (shiftedLongitude, shiftedLatitude float64) {
	if t.fromGrids != nil || t.toGrids != nil {
		return t.shiftByGrids(longitude, latitude)
	}
	x, y, z := t.from.shift.toGeocentric(longitude, latitude)
	shiftedLongitude, shiftedLatitude = t.to.shift.fromGeocentric(x, y, z)
	return nearest(shiftedLongitude, longitude), shiftedLatitude
}

// shiftByGrids goes by way of latitudes and longitudes on WGS 84. Where a grid ends, the shift of
// the registry continues.
func (t Transform) shiftByGrids(longitude, latitude float64) (shiftedLongitude, shiftedLatitude float64) {
	world := wgs84()
	east, north, ok := t.fromGrids.toWGS84(longitude, latitude)
	if !ok {
		east, north = world.shift.fromGeocentric(t.from.shift.toGeocentric(longitude, latitude))
	}
	shiftedLongitude, shiftedLatitude, ok = t.toGrids.fromWGS84(east, north)
	if !ok {
		shiftedLongitude, shiftedLatitude = t.to.shift.fromGeocentric(world.shift.toGeocentric(east, north))
	}
	return nearest(shiftedLongitude, longitude), shiftedLatitude
}

// nearest keeps a longitude on its side of the antimeridian: a shift of a few meters must not turn
// 180 into -180.
func nearest(longitude, reference float64) float64 {
	switch difference := longitude - reference; {
	case difference > math.Pi:
		return longitude - 2*math.Pi
	case difference < -math.Pi:
		return longitude + 2*math.Pi
	}
	return longitude
}

// geodetic returns radians east of Greenwich and north, on the datum of the CRS.
func (c *CRS) geodetic(p Point) (longitude, latitude float64) {
	if c.projection == nil {
		longitude, latitude = p.X*c.unit, p.Y*c.unit
		if !(math.Abs(latitude) <= maxLatitude) {
			return math.NaN(), math.NaN()
		}
	} else {
		longitude, latitude = c.projection.Inverse(p.X*c.unit, p.Y*c.unit)
	}
	return longitude + c.primeMeridian, latitude
}

// coordinates is the inverse of geodetic.
func (c *CRS) coordinates(longitude, latitude float64) Point {
	longitude -= c.primeMeridian
	if c.projection == nil {
		if !(math.Abs(latitude) <= maxLatitude && math.Abs(longitude) <= maxLongitude) {
			return outside()
		}
		return Point{wrap(longitude) / c.unit, latitude / c.unit}
	}
	x, y := c.projection.Forward(longitude, latitude)
	if !(math.Abs(x) <= maxCoordinate && math.Abs(y) <= maxCoordinate) {
		return outside()
	}
	return Point{x / c.unit, y / c.unit}
}

// maxCoordinate, in meters, exceeds every sensible coordinate and excludes infinities.
const maxCoordinate = 1e12

// maxLatitude is the pole plus a rounding error. maxLongitude allows far more turns than any data
// has.
const (
	maxLatitude  = math.Pi/2 + 1e-9
	maxLongitude = 1e3
)

func wrap(longitude float64) float64 {
	if math.Abs(longitude) <= math.Pi+1e-9 {
		return longitude
	}
	return math.Remainder(longitude, 2*math.Pi)
}

// ToLonLat returns WGS 84 longitude and latitude in degrees, or NaN outside the domain.
func (c *CRS) ToLonLat(p Point) Point { return NewTransform(c, wgs84()).Apply(p) }

// FromLonLat returns the point at a WGS 84 longitude and latitude in degrees, or NaN outside the
// domain.
func (c *CRS) FromLonLat(p Point) Point { return NewTransform(wgs84(), c).Apply(p) }
