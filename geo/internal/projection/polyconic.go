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
	if !(math.Abs(latitude) <= halfPi+epsilon) {
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
	if math.Abs(difference) <= math.Pi {
		longitude, latitude = invert(c.Forward, x, y, c.centralMeridian+max(-1.2, min(1.2, difference)), latitude)
		if math.Abs(longitude-c.centralMeridian) <= halfPi {
			return wrap(longitude), latitude
		}
	}
	return c.bisect(x-c.falseEasting, y-c.falseNorthing+c.originArc)
}

// bisect inverts far from the central meridian, where Newton's method fails. It looks for the
// parallel whose circle passes through the point, between the equator and the latitude that the
// ordinate has on the central meridian.
func (c *polyconic) bisect(x, y float64) (longitude, latitude float64) {
	if math.Abs(x) > 1e12 || math.Abs(y) > 1e12 {
		return nan, nan
	}
	sign := math.Copysign(1, y)
	y = math.Abs(y)
	low, high := 0.0, math.Abs(c.latitude(min(y, c.arc(halfPi))))
	for range 60 {
		latitude = (low + high) / 2
		above, normal := y-c.arc(latitude), c.ellipsoid.primeVerticalRadius(math.Sin(latitude))
		if (x*x+above*above)*math.Tan(latitude) > 2*above*normal {
			high = latitude
		} else {
			low = latitude
		}
	}
	sin, cos := math.Sincos(latitude)
	difference := x / c.ellipsoid.SemiMajorAxis
	if sin > 1e-8 {
		radius := c.ellipsoid.primeVerticalRadius(sin) * cos / sin
		difference = math.Atan2(x, radius+c.arc(latitude)-y) / sin
	}
	if !(math.Abs(difference) <= math.Pi+1e-9) {
		return nan, nan
	}
	return wrap(c.centralMeridian + difference), sign * latitude
}
