package projection

import "math"

// cassini is the Cassini-Soldner projection, a series that is valid near the central meridian.
type cassini struct {
	meridian
	ellipsoid                   Ellipsoid
	e2                          float64
	centralMeridian, originArc  float64
	hyperbolic                  bool // Fiji's variant
	falseEasting, falseNorthing float64
}

func newCassini(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	return cassiniOf(ellipsoid, p, false), nil
}

func newCassiniHyperbolic(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	return cassiniOf(ellipsoid, p, true), nil
}

func cassiniOf(ellipsoid Ellipsoid, p Parameters, hyperbolic bool) *cassini {
	c := &cassini{
		meridian:        newMeridian(ellipsoid),
		ellipsoid:       ellipsoid,
		e2:              ellipsoid.EccentricitySquared(),
		centralMeridian: p.LongitudeOfOrigin * degree,
		hyperbolic:      hyperbolic,
		falseEasting:    p.FalseEasting,
		falseNorthing:   p.FalseNorthing,
	}
	c.originArc = c.arc(p.LatitudeOfOrigin * degree)
	return c
}

// maxSeriesLongitude is the limit beyond which series in powers of longitude are not invertible.
const maxSeriesLongitude = 30 * degree

func (c *cassini) Forward(longitude, latitude float64) (x, y float64) {
	difference := wrap(longitude - c.centralMeridian)
	if !(math.Abs(difference) <= maxSeriesLongitude && math.Abs(latitude) < halfPi-1e-6) {
		return nan, nan
	}
	sin, cos := math.Sincos(latitude)
	tan := sin / cos
	t, cc := tan*tan, c.e2*cos*cos/(1-c.e2)
	a := difference * cos
	a2 := a * a
	normal := c.ellipsoid.primeVerticalRadius(sin)
	x = normal * a * (1 - a2*t*(1./6+(8-t+8*cc)*a2/120))
	y = c.arc(latitude) - c.originArc + normal*tan*a2*(0.5+(5-t+6*cc)*a2/24)
	if c.hyperbolic {
		y -= y * y * y / (6 * normal * c.ellipsoid.meridianRadius(sin))
	}
	return c.falseEasting + x, c.falseNorthing + y
}

func (c *cassini) Inverse(x, y float64) (longitude, latitude float64) {
	latitude = c.latitude(c.originArc + y - c.falseNorthing)
	sin, cos := math.Sincos(latitude)
	longitude = c.centralMeridian + (x-c.falseEasting)/(c.ellipsoid.primeVerticalRadius(sin)*cos)
	if !(math.Abs(latitude) < halfPi && math.Abs(longitude-c.centralMeridian) <= 2*maxSeriesLongitude) {
		return nan, nan
	}
	longitude, latitude = invert(c.Forward, x, y, longitude, latitude)
	return wrap(longitude), latitude
}
