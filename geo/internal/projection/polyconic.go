package projection

import "math"

// polyconic is the American polyconic projection.
type polyconic struct {
	meridian
	ellipsoid                   Ellipsoid
	centralMeridian, originArc  float64
	falseEasting, falseNorthing float64
}

func newPolyconic(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	c := &polyconic{
		meridian:        newMeridian(ellipsoid),
		ellipsoid:       ellipsoid,
		centralMeridian: p.LongitudeOfOrigin * degree,
		falseEasting:    p.FalseEasting,
		falseNorthing:   p.FalseNorthing,
	}
	c.originArc = c.arc(p.LatitudeOfOrigin * degree)
	return c, nil
}

func (c *polyconic) Forward(longitude, latitude float64) (x, y float64) {
	difference := wrap(longitude - c.centralMeridian)
	if !(math.Abs(difference) <= halfPi && math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	return c.falseEasting + c.easting(difference, latitude), c.falseNorthing + c.northing(difference, latitude)
}

func (c *polyconic) easting(difference, latitude float64) float64 {
	sin, cos := math.Sincos(latitude)
	normal := c.ellipsoid.primeVerticalRadius(sin)
	return normal * cos * difference * sinc(difference*sin)
}

func (c *polyconic) northing(difference, latitude float64) float64 {
	sin, cos := math.Sincos(latitude)
	normal := c.ellipsoid.primeVerticalRadius(sin)
	half := difference * sin / 2
	return c.arc(latitude) - c.originArc + normal*cos*difference*math.Sin(half)*sinc(half)
}

// sinc returns sin(x)/x, and 1 at 0, which occurs at the equator.
func sinc(x float64) float64 {
	if math.Abs(x) < 1e-8 {
		return 1
	}
	return math.Sin(x) / x
}

func (c *polyconic) Inverse(x, y float64) (longitude, latitude float64) {
	latitude = c.latitude(c.originArc + y - c.falseNorthing)
	latitude = max(-1.4, min(1.4, latitude))
	difference := (x - c.falseEasting) / (c.ellipsoid.SemiMajorAxis * math.Cos(latitude))
	if !(math.Abs(difference) <= math.Pi) {
		return nan, nan
	}
	difference = max(-1.2, min(1.2, difference))
	longitude, latitude = invert(c.Forward, x, y, c.centralMeridian+difference, latitude)
	return wrap(longitude), latitude
}
