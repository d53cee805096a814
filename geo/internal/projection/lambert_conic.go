package projection

import (
	"fmt"
	"math"
)

// lambertConic is the Lambert conformal conic projection. Its variants define their constants
// differently.
type lambertConic struct {
	isometry
	centralMeridian             float64
	cone                        float64 // the sine of the cone's opening, negative in the south
	scale                       float64 // meters of radius for a co-latitude tangent of 1
	originRadius                float64
	bend                        float64 // Belgium's additional rotation
	east                        float64 // -1 counts westings
	falseEasting, falseNorthing float64
}

// newLambertConic1SP returns the variant with one standard parallel: the natural origin, with a
// scale factor.
func newLambertConic1SP(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	p.StandardParallel1, p.StandardParallel2 = p.LatitudeOfOrigin, p.LatitudeOfOrigin
	return lambertConicOf(ellipsoid, p)
}

func newLambertConic2SP(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	p.ScaleFactor = 1
	return lambertConicOf(ellipsoid, p)
}

func newLambertConicMichigan(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	p.ScaleFactor = p.EllipsoidScale
	return lambertConicOf(ellipsoid, p)
}

func newLambertConicBelgium(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	p.ScaleFactor = 1
	l, err := lambertConicOf(ellipsoid, p)
	if err != nil {
		return nil, err
	}
	l.bend = 29.2985 / 3600 * degree
	return l, nil
}

func newLambertConicWest(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	p.StandardParallel1, p.StandardParallel2 = p.LatitudeOfOrigin, p.LatitudeOfOrigin
	l, err := lambertConicOf(ellipsoid, p)
	if err != nil {
		return nil, err
	}
	l.east = -1
	return l, nil
}

func lambertConicOf(ellipsoid Ellipsoid, p Parameters) (*lambertConic, error) {
	first, second := p.StandardParallel1*degree, p.StandardParallel2*degree
	if math.Abs(first+second) < epsilon || math.Abs(first) > halfPi-epsilon || math.Abs(second) > halfPi-epsilon {
		return nil, fmt.Errorf("%w: a conic with standard parallels %g and %g", ErrInvalidParameters, p.StandardParallel1, p.StandardParallel2)
	}
	l := &lambertConic{
		isometry:        newIsometry(ellipsoid),
		centralMeridian: p.LongitudeOfOrigin * degree,
		cone:            math.Sin(first),
		east:            1,
		falseEasting:    p.FalseEasting,
		falseNorthing:   p.FalseNorthing,
	}
	m := ellipsoid.parallelRadius(first)
	t := l.colatitude(first)
	if math.Abs(first-second) > epsilon {
		l.cone = math.Log(m/ellipsoid.parallelRadius(second)) / math.Log(t/l.colatitude(second))
	}
	l.scale = ellipsoid.SemiMajorAxis * p.ScaleFactor * m / (l.cone * math.Pow(t, l.cone))
	l.originRadius = l.radius(p.LatitudeOfOrigin * degree)
	if math.IsInf(l.originRadius, 0) || math.IsNaN(l.originRadius) {
		return nil, fmt.Errorf("%w: a conic with its origin at latitude %g", ErrInvalidParameters, p.LatitudeOfOrigin)
	}
	return l, nil
}

func (l *lambertConic) radius(latitude float64) float64 {
	return l.scale * math.Exp(l.cone*math.Log(l.colatitude(latitude)))
}

func (l *lambertConic) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	radius := l.radius(max(-halfPi, min(halfPi, latitude)))
	sin, cos := math.Sincos(l.cone*wrap(longitude-l.centralMeridian) - l.bend)
	return l.falseEasting + l.east*radius*sin, l.falseNorthing + l.originRadius - radius*cos
}

func (l *lambertConic) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = l.east*(x-l.falseEasting), l.originRadius-(y-l.falseNorthing)
	radius := math.Hypot(x, y)
	if l.cone < 0 {
		x, y, radius = -x, -y, -radius
	}
	angle := (math.Atan2(x, y) + l.bend) / l.cone
	if !(math.Abs(angle) <= math.Pi+1e-9) {
		return nan, nan // in the gap of the unrolled cone
	}
	tangent := math.Exp(math.Log(radius/l.scale) / l.cone)
	return wrap(angle + l.centralMeridian), l.geodeticFromColatitude(tangent)
}
