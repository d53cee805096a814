package projection

import (
	"fmt"
	"math"
)

// equidistantCylindrical is true to scale along the meridians and one pair of parallels.
type equidistantCylindrical struct {
	meridian
	centralMeridian, parallelRadius float64
	falseEasting, falseNorthing     float64
}

func newEquidistantCylindrical(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	if math.Abs(p.StandardParallel1) > 89.9 {
		return nil, fmt.Errorf("%w: a cylinder with standard parallel %g", ErrInvalidParameters, p.StandardParallel1)
	}
	c := &equidistantCylindrical{
		meridian:        newMeridian(ellipsoid),
		centralMeridian: p.LongitudeOfOrigin * degree,
		parallelRadius:  ellipsoid.SemiMajorAxis * ellipsoid.parallelRadius(p.StandardParallel1*degree),
		falseEasting:    p.FalseEasting,
	}
	c.falseNorthing = p.FalseNorthing - c.arc(p.LatitudeOfOrigin*degree)
	return c, nil
}

func newEquidistantCylindricalSpherical(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	return newEquidistantCylindrical(Ellipsoid{SemiMajorAxis: ellipsoid.SemiMajorAxis}, p)
}

func (c *equidistantCylindrical) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	return c.falseEasting + c.parallelRadius*wrap(longitude-c.centralMeridian), c.falseNorthing + c.arc(latitude)
}

func (c *equidistantCylindrical) Inverse(x, y float64) (longitude, latitude float64) {
	latitude = c.latitude(y - c.falseNorthing)
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	return wrap(c.centralMeridian + (x-c.falseEasting)/c.parallelRadius), latitude
}

// equalAreaCylindrical is Lambert's cylindrical equal-area projection.
type equalAreaCylindrical struct {
	authality
	centralMeridian, parallelRadius float64
	height                          float64 // meters of northing for one unit of q
	falseEasting, falseNorthing     float64
}

func newEqualAreaCylindrical(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	if math.Abs(p.StandardParallel1) > 89.9 {
		return nil, fmt.Errorf("%w: a cylinder with standard parallel %g", ErrInvalidParameters, p.StandardParallel1)
	}
	k := ellipsoid.parallelRadius(p.StandardParallel1 * degree)
	return &equalAreaCylindrical{
		authality:       newAuthality(ellipsoid),
		centralMeridian: p.LongitudeOfOrigin * degree,
		parallelRadius:  ellipsoid.SemiMajorAxis * k,
		height:          ellipsoid.SemiMajorAxis / (2 * k),
		falseEasting:    p.FalseEasting,
		falseNorthing:   p.FalseNorthing,
	}, nil
}

func newEqualAreaCylindricalSpherical(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	authalic := newAuthality(ellipsoid)
	return newEqualAreaCylindrical(Ellipsoid{SemiMajorAxis: authalic.radius}, p)
}

func (c *equalAreaCylindrical) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	x = c.falseEasting + c.parallelRadius*wrap(longitude-c.centralMeridian)
	return x, c.falseNorthing + c.height*c.q(math.Sin(latitude))
}

func (c *equalAreaCylindrical) Inverse(x, y float64) (longitude, latitude float64) {
	longitude = wrap(c.centralMeridian + (x-c.falseEasting)/c.parallelRadius)
	return longitude, c.geodeticFromQ((y - c.falseNorthing) / c.height)
}

// equalEarth is the pseudocylindrical projection of Šavrič, Patterson and Jenny (2018).
type equalEarth struct {
	authality
	centralMeridian             float64
	falseEasting, falseNorthing float64
}

const (
	equalEarth1 = 1.340264
	equalEarth2 = -0.081106
	equalEarth3 = 0.000893
	equalEarth4 = 0.003796
)

func newEqualEarth(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	return &equalEarth{newAuthality(ellipsoid), p.LongitudeOfOrigin * degree, p.FalseEasting, p.FalseNorthing}, nil
}

// polynomial returns the ordinate and its derivative.
func (e *equalEarth) polynomial(theta float64) (value, derivative float64) {
	t2 := theta * theta
	t6 := t2 * t2 * t2
	return theta * (equalEarth1 + equalEarth2*t2 + t6*(equalEarth3+equalEarth4*t2)),
		equalEarth1 + 3*equalEarth2*t2 + t6*(7*equalEarth3+9*equalEarth4*t2)
}

func (e *equalEarth) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	theta := math.Asin(math.Sqrt(3) / 2 * math.Sin(e.authalic(latitude)))
	value, derivative := e.polynomial(theta)
	x = 2 * wrap(longitude-e.centralMeridian) * math.Cos(theta) / (math.Sqrt(3) * derivative)
	return e.falseEasting + e.radius*x, e.falseNorthing + e.radius*value
}

func (e *equalEarth) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = (x-e.falseEasting)/e.radius, (y-e.falseNorthing)/e.radius
	theta := max(-1.2, min(1.2, y/equalEarth1))
	for range 8 {
		value, derivative := e.polynomial(theta)
		theta -= (value - y) / derivative
	}
	_, derivative := e.polynomial(theta)
	sin := 2 / math.Sqrt(3) * math.Sin(theta)
	difference := math.Sqrt(3) / 2 * x * derivative / math.Cos(theta)
	if !(math.Abs(sin) <= 1+epsilon && math.Abs(theta) < halfPi && math.Abs(difference) <= math.Pi+1e-9) {
		return nan, nan
	}
	return wrap(difference + e.centralMeridian), e.geodetic(math.Asin(max(-1, min(1, sin))))
}
