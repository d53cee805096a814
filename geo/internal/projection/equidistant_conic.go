package projection

import (
	"fmt"
	"math"
)

// equidistantConic is true to scale along the meridians and two parallels.
type equidistantConic struct {
	meridian
	centralMeridian             float64
	cone                        float64 // n
	apex                        float64 // arc from the equator to the apex of the cone, meters
	originRadius                float64
	falseEasting, falseNorthing float64
}

func newEquidistantConic(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	first, second := p.StandardParallel1*degree, p.StandardParallel2*degree
	if math.Abs(first+second) < epsilon {
		return nil, fmt.Errorf("%w: a cone with standard parallels %g and %g", ErrInvalidParameters, p.StandardParallel1, p.StandardParallel2)
	}
	c := &equidistantConic{
		meridian: newMeridian(ellipsoid), centralMeridian: p.LongitudeOfOrigin * degree,
		cone: math.Sin(first), falseEasting: p.FalseEasting, falseNorthing: p.FalseNorthing,
	}
	radius := ellipsoid.SemiMajorAxis * ellipsoid.parallelRadius(first)
	if math.Abs(first-second) > epsilon {
		c.cone = (radius - ellipsoid.SemiMajorAxis*ellipsoid.parallelRadius(second)) / (c.arc(second) - c.arc(first))
	}
	if !(math.Abs(c.cone) > epsilon) {
		return nil, fmt.Errorf("%w: a cone with standard parallels %g and %g", ErrInvalidParameters, p.StandardParallel1, p.StandardParallel2)
	}
	c.apex = radius/c.cone + c.arc(first)
	c.originRadius = c.apex - c.arc(p.LatitudeOfOrigin*degree)
	return c, nil
}

func (c *equidistantConic) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	radius := c.apex - c.arc(latitude)
	sin, cos := math.Sincos(c.cone * wrap(longitude-c.centralMeridian))
	return c.falseEasting + radius*sin, c.falseNorthing + c.originRadius - radius*cos
}

func (c *equidistantConic) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = x-c.falseEasting, c.originRadius-(y-c.falseNorthing)
	sign := math.Copysign(1, c.cone)
	latitude = c.latitude(c.apex - sign*math.Hypot(x, y))
	difference := math.Atan2(sign*x, sign*y) / c.cone
	if !(math.Abs(latitude) <= halfPi+epsilon && math.Abs(difference) <= math.Pi+1e-9) {
		return nan, nan
	}
	return wrap(c.centralMeridian + difference), latitude
}
