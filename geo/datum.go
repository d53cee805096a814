package geo

import "math"

// Helmert is a datum shift to WGS 84 in the position vector convention: meters, arc-seconds, parts
// per million.
type Helmert struct {
	TranslationX, TranslationY, TranslationZ float64
	RotationX, RotationY, RotationZ          float64
	Scale                                    float64
}

// datum relates an ellipsoid to the Earth. Without a shift it counts as WGS 84: latitudes and
// longitudes stay unchanged. That is right to a meter or two for modern datums (ETRS89, NAD83,
// GDA94 ...), and the best available for unknown ones.
type datum struct {
	code      int // EPSG datum, 0 for user-defined
	ellipsoid Ellipsoid
	helmert   Helmert
	shifted   bool
}

// shiftedBy returns the datum with a shift, or without one.
func (d datum) shiftedBy(h *Helmert) datum {
	d.helmert, d.shifted = Helmert{}, false
	if h != nil && (*h != Helmert{} || !nearWGS84(d.ellipsoid)) {
		d.helmert, d.shifted = *h, true
	}
	return d
}

// same reports whether latitudes and longitudes are equal in both datums. Two systems on one
// registered datum are equal even if their areas of use led to different shifts.
func (d *datum) same(other *datum) bool {
	if d.code != 0 && d.code == other.code {
		return true
	}
	if !d.shifted && !other.shifted {
		return true
	}
	return d.shifted == other.shifted && d.helmert == other.helmert && d.ellipsoid == other.ellipsoid
}

const (
	degreesToRadians    = math.Pi / 180
	arcSecondsToRadians = math.Pi / 648000
)

func wgs84Ellipsoid() Ellipsoid {
	return Ellipsoid{SemiMajorAxis: 6378137, InverseFlattening: 298.257223563}
}

// shift is a datum prepared for computation: geocentric = scale·R·local + translation.
type shift struct {
	a, e2      float64
	b, second  float64 // semi-minor axis, second eccentricity squared
	tx, ty, tz float64
	rx, ry, rz float64
	scale      float64
}

func newShift(d *datum) shift {
	f := d.ellipsoid.Flattening()
	e2 := f * (2 - f)
	return shift{
		a: d.ellipsoid.SemiMajorAxis, e2: e2,
		b: d.ellipsoid.SemiMajorAxis * (1 - f), second: e2 / (1 - e2),
		tx: d.helmert.TranslationX, ty: d.helmert.TranslationY, tz: d.helmert.TranslationZ,
		rx:    d.helmert.RotationX * arcSecondsToRadians,
		ry:    d.helmert.RotationY * arcSecondsToRadians,
		rz:    d.helmert.RotationZ * arcSecondsToRadians,
		scale: 1 + d.helmert.Scale*1e-6,
	}
}

// toGeocentric returns the WGS 84 geocentric coordinates, in meters, of a point on the ellipsoid
// (height 0).
func (s *shift) toGeocentric(longitude, latitude float64) (x, y, z float64) {
	sinLat, cosLat := math.Sincos(latitude)
	sinLon, cosLon := math.Sincos(longitude)
	radius := s.a / math.Sqrt(1-s.e2*sinLat*sinLat)
	lx, ly, lz := radius*cosLat*cosLon, radius*cosLat*sinLon, radius*(1-s.e2)*sinLat
	return s.tx + s.scale*(lx-s.rz*ly+s.ry*lz),
		s.ty + s.scale*(s.rz*lx+ly-s.rx*lz),
		s.tz + s.scale*(-s.ry*lx+s.rx*ly+lz)
}

// fromGeocentric is the inverse of toGeocentric. The rotations are so small that the transposed
// matrix is the inverse to a millimeter.
func (s *shift) fromGeocentric(x, y, z float64) (longitude, latitude float64) {
	x, y, z = (x-s.tx)/s.scale, (y-s.ty)/s.scale, (z-s.tz)/s.scale
	lx, ly, lz := x+s.rz*y-s.ry*z, -s.rz*x+y+s.rx*z, s.ry*x-s.rx*y+z
	return math.Atan2(ly, lx), s.latitude(math.Hypot(lx, ly), lz)
}

// latitude applies Bowring's formula. Near the surface one evaluation is exact to a nanometer.
func (s *shift) latitude(axisDistance, z float64) float64 {
	parametric := math.Atan2(z*s.a, axisDistance*s.b)
	sin, cos := math.Sincos(parametric)
	return math.Atan2(z+s.second*s.b*sin*sin*sin, axisDistance-s.e2*s.a*cos*cos*cos)
}
