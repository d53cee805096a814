package projection

import (
	"fmt"
	"math"
)

// albers is the equal-area conic projection.
type albers struct {
	authality
	semiMajorAxis, centralMeridian float64
	cone, constant, originRadius   float64
	falseEasting, falseNorthing    float64
}

func newAlbers(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	first, second := p.StandardParallel1*degree, p.StandardParallel2*degree
	if math.Abs(first+second) < epsilon {
		return nil, fmt.Errorf("%w: a conic with standard parallels %g and %g", ErrInvalidParameters, p.StandardParallel1, p.StandardParallel2)
	}
	a := &albers{
		authality:       newAuthality(ellipsoid),
		semiMajorAxis:   ellipsoid.SemiMajorAxis,
		centralMeridian: p.LongitudeOfOrigin * degree,
		cone:            math.Sin(first),
		falseEasting:    p.FalseEasting,
		falseNorthing:   p.FalseNorthing,
	}
	m1, m2 := ellipsoid.parallelRadius(first), ellipsoid.parallelRadius(second)
	q1, q2 := a.q(math.Sin(first)), a.q(math.Sin(second))
	if math.Abs(first-second) > epsilon {
		a.cone = (m1*m1 - m2*m2) / (q2 - q1)
	}
	a.constant = m1*m1 + a.cone*q1
	a.originRadius = a.radiusAt(p.LatitudeOfOrigin * degree)
	if math.IsNaN(a.originRadius) {
		return nil, fmt.Errorf("%w: a conic with its origin at latitude %g", ErrInvalidParameters, p.LatitudeOfOrigin)
	}
	return a, nil
}

func (a *albers) radiusAt(latitude float64) float64 {
	squared := a.constant - a.cone*a.q(math.Sin(latitude))
	if squared < 0 && squared > -epsilon {
		squared = 0
	}
	return a.semiMajorAxis * math.Sqrt(squared) / a.cone
}

func (a *albers) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	radius := a.radiusAt(latitude)
	sin, cos := math.Sincos(a.cone * wrap(longitude-a.centralMeridian))
	return a.falseEasting + radius*sin, a.falseNorthing + a.originRadius - radius*cos
}

func (a *albers) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = x-a.falseEasting, a.originRadius-(y-a.falseNorthing)
	radius := math.Hypot(x, y) * a.cone / a.semiMajorAxis
	if a.cone < 0 {
		x, y = -x, -y
	}
	angle := math.Atan2(x, y) / a.cone
	if !(math.Abs(angle) <= math.Pi+1e-9) {
		return nan, nan
	}
	return wrap(angle + a.centralMeridian), a.geodeticFromQ((a.constant - radius*radius) / a.cone)
}
