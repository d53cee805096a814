package projection

import "math"

// isometry converts between geodetic latitude and isometric latitude, the ordinate of the Mercator
// projection.
type isometry struct {
	eccentricity  float64
	fromConformal sineSeries
}

func newIsometry(ellipsoid Ellipsoid) isometry {
	return isometry{math.Sqrt(ellipsoid.EccentricitySquared()), ellipsoid.geodeticFromConformal()}
}

// isometric returns an infinite value at the poles.
func (i *isometry) isometric(latitude float64) float64 {
	sin := math.Sin(latitude)
	return math.Atanh(sin) - i.eccentricity*math.Atanh(i.eccentricity*sin)
}

func (i *isometry) geodetic(isometric float64) float64 {
	if isometric < 0 {
		return -i.geodeticFromColatitude(math.Exp(isometric))
	}
	return i.geodeticFromColatitude(math.Exp(-isometric))
}

// colatitude returns exp(-isometric), the tangent of half the conformal co-latitude. It stays
// precise near the north pole, where the isometric latitude does not.
func (i *isometry) colatitude(latitude float64) float64 {
	sin, cos := math.Sincos(latitude)
	var tangent float64
	if sin >= 0 {
		tangent = cos / (1 + sin)
	} else {
		tangent = (1 - sin) / cos
	}
	return tangent * math.Exp(i.eccentricity*math.Atanh(i.eccentricity*sin))
}

func (i *isometry) geodeticFromColatitude(tangent float64) float64 {
	conformal := halfPi - 2*math.Atan(tangent)
	squared := 1 + tangent*tangent
	sin, cos := (1-tangent)*(1+tangent)/squared, 2*tangent/squared
	return conformal + i.fromConformal.at(2*sin*cos, (cos-sin)*(cos+sin))
}
