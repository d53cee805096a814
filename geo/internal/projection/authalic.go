package projection

import "math"

// authality converts between geodetic latitude and authalic latitude, the latitude on a sphere of
// equal area.
type authality struct {
	eccentricity, e2 float64
	pole             float64 // q at the pole
	radius           float64 // of the sphere, meters
	series           [3]float64
}

func newAuthality(ellipsoid Ellipsoid) authality {
	e2 := ellipsoid.EccentricitySquared()
	a := authality{eccentricity: math.Sqrt(e2), e2: e2}
	a.series = [3]float64{
		e2 * (1./3 + e2*(31./180+e2*517./5040)),
		e2 * e2 * (23./360 + e2*251./3780),
		e2 * e2 * e2 * 761. / 45360,
	}
	a.pole = a.q(1)
	a.radius = ellipsoid.SemiMajorAxis * math.Sqrt(a.pole/2)
	return a
}

// q returns twice the area between the equator and a latitude, for one unit of longitude (Snyder
// 3-12).
func (a *authality) q(sin float64) float64 {
	if a.eccentricity == 0 {
		return 2 * sin
	}
	return (1 - a.e2) * (sin/(1-a.e2*sin*sin) + math.Atanh(a.eccentricity*sin)/a.eccentricity)
}

func (a *authality) authalic(latitude float64) float64 {
	return math.Asin(max(-1, min(1, a.q(math.Sin(latitude))/a.pole)))
}

// geodetic evaluates the series, exact to a millimeter, and refines it by one Newton step. At the
// poles, where the step is 0/0, the series is exact.
func (a *authality) geodetic(authalic float64) float64 {
	sin, cos := math.Sincos(2 * authalic)
	latitude := authalic + sin*(a.series[0]+2*cos*a.series[1]+(4*cos*cos-1)*a.series[2])
	sinLatitude, cosLatitude := math.Sincos(latitude)
	if math.Abs(cosLatitude) < 1e-3 {
		return latitude
	}
	w := 1 - a.e2*sinLatitude*sinLatitude
	return latitude + (a.pole*math.Sin(authalic)-a.q(sinLatitude))*w*w/(2*(1-a.e2)*cosLatitude)
}

// geodeticFromQ returns NaN beyond the poles.
func (a *authality) geodeticFromQ(q float64) float64 {
	sin := q / a.pole
	if !(math.Abs(sin) <= 1+epsilon) {
		return nan
	}
	return a.geodetic(math.Asin(max(-1, min(1, sin))))
}
