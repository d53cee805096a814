package projection

import "math"

// sinusoidal is the equal-area projection of the MODIS tiles, on a sphere or an ellipsoid.
type sinusoidal struct {
	meridian
	ellipsoid                   Ellipsoid
	centralMeridian             float64
	falseEasting, falseNorthing float64
}

func newSinusoidal(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	return &sinusoidal{newMeridian(ellipsoid), ellipsoid, p.LongitudeOfOrigin * degree, p.FalseEasting, p.FalseNorthing}, nil
}

func (s *sinusoidal) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	x = s.ellipsoid.SemiMajorAxis * s.ellipsoid.parallelRadius(latitude) * wrap(longitude-s.centralMeridian)
	return s.falseEasting + x, s.falseNorthing + s.arc(latitude)
}

func (s *sinusoidal) Inverse(x, y float64) (longitude, latitude float64) {
	latitude = s.latitude(y - s.falseNorthing)
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	radius := s.ellipsoid.SemiMajorAxis * s.ellipsoid.parallelRadius(latitude)
	difference := (x - s.falseEasting) / radius
	if radius < 1e-6 {
		difference = 0 // every longitude is right at a pole
	}
	if !(math.Abs(difference) <= math.Pi+1e-9) {
		return nan, nan
	}
	return wrap(s.centralMeridian + difference), latitude
}
