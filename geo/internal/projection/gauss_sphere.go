package projection

import "math"

// gaussSphere maps the ellipsoid conformally to a sphere that touches it along one parallel. The
// double projections (Swiss, oblique stereographic, Krovak) project that sphere.
type gaussSphere struct {
	isometry
	exponent, offset float64
	radius           float64 // of the sphere
	latitude         float64 // of the origin, on the sphere
}

func newGaussSphere(ellipsoid Ellipsoid, latitude float64) gaussSphere {
	e2 := ellipsoid.EccentricitySquared()
	sin, cos := math.Sincos(latitude)
	s := gaussSphere{isometry: newIsometry(ellipsoid)}
	s.exponent = math.Sqrt(1 + e2*cos*cos*cos*cos/(1-e2))
	s.latitude = math.Asin(sin / s.exponent)
	s.offset = math.Atanh(math.Sin(s.latitude)) - s.exponent*s.isometric(latitude)
	s.radius = math.Sqrt(ellipsoid.meridianRadius(sin) * ellipsoid.primeVerticalRadius(sin))
	return s
}

// sincos returns the sine and cosine of the latitude on the sphere.
func (s *gaussSphere) sincos(latitude float64) (sin, cos float64) {
	isometric := s.exponent*s.isometric(latitude) + s.offset
	return math.Tanh(isometric), 1 / math.Cosh(isometric)
}

// geodeticFromSphere converts the sine and cosine of a latitude on the sphere.
func (s *gaussSphere) geodeticFromSphere(sin, cos float64) float64 {
	return s.geodetic((math.Asinh(sin/cos) - s.offset) / s.exponent)
}

// obliqueStereographic is the double stereographic projection of the Netherlands, Romania and
// others.
type obliqueStereographic struct {
	gaussSphere
	centralMeridian             float64
	sinOrigin, cosOrigin        float64
	diameter                    float64 // twice the radius, times the scale factor
	falseEasting, falseNorthing float64
}

func newObliqueStereographic(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	if math.Abs(p.LatitudeOfOrigin) > 90-1e-8 {
		return newPolarStereographicA(ellipsoid, p)
	}
	o := &obliqueStereographic{
		gaussSphere:     newGaussSphere(ellipsoid, p.LatitudeOfOrigin*degree),
		centralMeridian: p.LongitudeOfOrigin * degree,
		falseEasting:    p.FalseEasting,
		falseNorthing:   p.FalseNorthing,
	}
	o.sinOrigin, o.cosOrigin = math.Sincos(o.gaussSphere.latitude)
	o.diameter = 2 * o.radius * p.ScaleFactor
	return o, nil
}

func (o *obliqueStereographic) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) < halfPi-epsilon) {
		return nan, nan
	}
	sin, cos := o.sincos(latitude)
	sinLongitude, cosLongitude := math.Sincos(o.exponent * wrap(longitude-o.centralMeridian))
	nearness := 1 + sin*o.sinOrigin + cos*o.cosOrigin*cosLongitude
	if nearness < 1e-6 {
		return nan, nan // near the antipode
	}
	scale := o.diameter / nearness
	return o.falseEasting + scale*cos*sinLongitude,
		o.falseNorthing + scale*(sin*o.cosOrigin-cos*o.sinOrigin*cosLongitude)
}

func (o *obliqueStereographic) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = (x-o.falseEasting)/o.diameter, (y-o.falseNorthing)/o.diameter
	squared := x*x + y*y
	c, s := (1-squared)/(1+squared), 2/(1+squared)
	east, north := x*s, y*s
	up := c*o.sinOrigin + north*o.cosOrigin
	toward := c*o.cosOrigin - north*o.sinOrigin
	longitude = math.Atan2(east, toward)/o.exponent + o.centralMeridian
	return wrap(longitude), o.geodeticFromSphere(up, math.Hypot(east, toward))
}

// swissOblique is the Mercator projection of the sphere along the great circle that leaves the
// origin to the east. It is the Hotine projection with an azimuth of 90 degrees.
type swissOblique struct {
	gaussSphere
	centralMeridian             float64
	sinOrigin, cosOrigin        float64
	scaledRadius                float64
	falseEasting, falseNorthing float64
}

func newSwissOblique(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	s := &swissOblique{
		gaussSphere:     newGaussSphere(ellipsoid, p.LatitudeOfOrigin*degree),
		centralMeridian: p.LongitudeOfOrigin * degree,
		falseEasting:    p.FalseEasting,
		falseNorthing:   p.FalseNorthing,
	}
	s.sinOrigin, s.cosOrigin = math.Sincos(s.gaussSphere.latitude)
	s.scaledRadius = s.radius * p.ScaleFactor
	return s, nil
}

func (s *swissOblique) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) < halfPi-epsilon) {
		return nan, nan
	}
	sin, cos := s.sincos(latitude)
	sinLongitude, cosLongitude := math.Sincos(s.exponent * wrap(longitude-s.centralMeridian))
	up := s.cosOrigin*sin - s.sinOrigin*cos*cosLongitude
	if !(math.Abs(up) < 1-epsilon) {
		return nan, nan
	}
	toward := s.sinOrigin*sin + s.cosOrigin*cos*cosLongitude
	return s.falseEasting + s.scaledRadius*math.Atan2(cos*sinLongitude, toward),
		s.falseNorthing + s.scaledRadius*math.Atanh(up)
}

func (s *swissOblique) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = (x-s.falseEasting)/s.scaledRadius, (y-s.falseNorthing)/s.scaledRadius
	up, across := math.Tanh(y), 1/math.Cosh(y)
	sin, cos := math.Sincos(x)
	east, toward := across*sin, across*cos
	north := s.cosOrigin*up + s.sinOrigin*toward
	forward := s.cosOrigin*toward - s.sinOrigin*up
	longitude = math.Atan2(east, forward)/s.exponent + s.centralMeridian
	return wrap(longitude), s.geodeticFromSphere(north, math.Hypot(east, forward))
}
