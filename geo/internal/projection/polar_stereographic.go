package projection

import (
	"fmt"
	"math"
)

// polarStereographic is computed for the north pole. For the south pole it mirrors latitudes and
// northings.
type polarStereographic struct {
	isometry
	centralMeridian             float64
	pole                        float64 // 1 or -1
	radius                      float64 // meters for a co-latitude tangent of 1
	falseEasting, falseNorthing float64
}

// newPolarStereographicA returns variant A: the origin is the pole, with a scale factor there.
func newPolarStereographicA(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	if math.Abs(math.Abs(p.LatitudeOfOrigin)-90) > 1e-6 {
		return nil, fmt.Errorf("%w: polar stereographic with its origin at latitude %g", ErrInvalidParameters, p.LatitudeOfOrigin)
	}
	s := polarStereographicOf(ellipsoid, p, p.LatitudeOfOrigin)
	e := s.eccentricity
	s.radius = 2 * ellipsoid.SemiMajorAxis * p.ScaleFactor / math.Sqrt(math.Pow(1+e, 1+e)*math.Pow(1-e, 1-e))
	return s, nil
}

// newPolarStereographicB returns variant B, with a standard parallel.
func newPolarStereographicB(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	if p.StandardParallel1 == 0 {
		return nil, fmt.Errorf("%w: polar stereographic without a pole, its latitude is 0 or missing", ErrInvalidParameters)
	}
	if math.Abs(p.StandardParallel1) > 90-1e-8 {
		p.LatitudeOfOrigin, p.ScaleFactor = p.StandardParallel1, 1
		return newPolarStereographicA(ellipsoid, p)
	}
	s := polarStereographicOf(ellipsoid, p, p.StandardParallel1)
	parallel := math.Abs(p.StandardParallel1) * degree
	s.radius = ellipsoid.SemiMajorAxis * ellipsoid.parallelRadius(parallel) / s.colatitude(parallel)
	return s, nil
}

// newPolarStereographicC returns variant C, with its false origin on the standard parallel.
func newPolarStereographicC(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	parallel := p.StandardParallel1 * degree
	radius := ellipsoid.SemiMajorAxis * ellipsoid.parallelRadius(parallel)
	p.FalseNorthing += math.Copysign(radius, parallel)
	return newPolarStereographicB(ellipsoid, p)
}

func polarStereographicOf(ellipsoid Ellipsoid, p Parameters, latitude float64) *polarStereographic {
	return &polarStereographic{
		isometry:        newIsometry(ellipsoid),
		centralMeridian: p.LongitudeOfOrigin * degree,
		pole:            math.Copysign(1, latitude),
		falseEasting:    p.FalseEasting,
		falseNorthing:   p.FalseNorthing,
	}
}

func (s *polarStereographic) Forward(longitude, latitude float64) (x, y float64) {
	latitude *= s.pole
	if !(latitude > -halfPi+epsilon && latitude <= halfPi+epsilon) {
		return nan, nan
	}
	radius := s.radius * s.colatitude(min(latitude, halfPi))
	sin, cos := math.Sincos(longitude - s.centralMeridian)
	return s.falseEasting + radius*sin, s.falseNorthing - s.pole*radius*cos
}

func (s *polarStereographic) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = x-s.falseEasting, -s.pole*(y-s.falseNorthing)
	latitude = s.geodeticFromColatitude(math.Hypot(x, y) / s.radius)
	return wrap(math.Atan2(x, y) + s.centralMeridian), s.pole * latitude
}
