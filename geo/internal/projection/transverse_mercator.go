package projection

import "math"

// transverseMercator uses Krüger's series to n⁶. It is exact to nanometers within 3900 km of the
// central meridian, and usable far beyond.
type transverseMercator struct {
	centralMeridian             float64
	radius                      float64 // rectifying radius times the scale factor
	falseEasting, falseNorthing float64 // the northing includes the arc to the latitude of origin

	toConformal, fromConformal   sineSeries
	toRectifying, fromRectifying sineSeries
}

// maxTransverseEasting is the limit beyond which the series diverge. PROJ uses the same limit, so
// both are defined on the same points.
const maxTransverseEasting = 2.623395162778

func newTransverseMercator(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	return transverseMercatorOf(ellipsoid, p), nil
}

func transverseMercatorOf(ellipsoid Ellipsoid, p Parameters) *transverseMercator {
	t := &transverseMercator{
		centralMeridian: p.LongitudeOfOrigin * degree,
		radius:          ellipsoid.rectifyingRadius() * p.ScaleFactor,
		falseEasting:    p.FalseEasting,
		toConformal:     ellipsoid.conformalFromGeodetic(),
		fromConformal:   ellipsoid.geodeticFromConformal(),
		toRectifying:    ellipsoid.rectifyingFromConformal(),
		fromRectifying:  ellipsoid.conformalFromRectifying(),
	}
	origin := t.toRectifying.add(t.toConformal.add(p.LatitudeOfOrigin * degree))
	t.falseNorthing = p.FalseNorthing - t.radius*origin
	return t
}

func (t *transverseMercator) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	sin, cos := math.Sincos(latitude)
	conformal := latitude + t.toConformal.at(2*sin*cos, (cos-sin)*(cos+sin))
	sin, cos = math.Sincos(conformal)
	sinLongitude, cosLongitude := math.Sincos(longitude - t.centralMeridian)

	north, east := cos*cosLongitude, cos*sinLongitude // east is tanh η
	squared := sin*sin + north*north                  // = 1 - east²
	xi, eta := math.Atan2(sin, north), math.Atanh(east)
	dXi, dEta := t.toRectifying.atComplex(2*sin*north/squared, (north-sin)*(north+sin)/squared,
		2*east/squared, (1+east*east)/squared)
	eta += dEta
	if !(math.Abs(eta) <= maxTransverseEasting) {
		return nan, nan
	}
	return t.falseEasting + t.radius*eta, t.falseNorthing + t.radius*(xi+dXi)
}

func (t *transverseMercator) Inverse(x, y float64) (longitude, latitude float64) {
	eta, xi := (x-t.falseEasting)/t.radius, (y-t.falseNorthing)/t.radius
	if !(math.Abs(eta) <= maxTransverseEasting) {
		return nan, nan
	}
	sin2, cos2 := math.Sincos(2 * xi)
	exp := math.Exp(2 * eta)
	dXi, dEta := t.fromRectifying.atComplex(sin2, cos2, (exp-1/exp)/2, (exp+1/exp)/2)
	sinh := math.Sinh(eta + dEta)
	sin, cos := math.Sincos(xi + dXi)

	equatorial := math.Hypot(sinh, cos)
	cosh := math.Hypot(sin, equatorial)
	sin, equatorial = sin/cosh, equatorial/cosh
	conformal := math.Atan2(sin, equatorial)
	latitude = conformal + t.fromConformal.at(2*sin*equatorial, (equatorial-sin)*(equatorial+sin))
	return wrap(math.Atan2(sinh, cos) + t.centralMeridian), latitude
}

// southOrientated counts westings and southings, as the Lo belts of southern Africa do.
type southOrientated struct {
	grid                        *transverseMercator
	falseEasting, falseNorthing float64
}

func newTransverseMercatorSouth(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	s := &southOrientated{falseEasting: p.FalseEasting, falseNorthing: p.FalseNorthing}
	p.FalseEasting, p.FalseNorthing = 0, 0
	s.grid = transverseMercatorOf(ellipsoid, p)
	return s, nil
}

func (s *southOrientated) Forward(longitude, latitude float64) (x, y float64) {
	x, y = s.grid.Forward(longitude, latitude)
	return s.falseEasting - x, s.falseNorthing - y
}

func (s *southOrientated) Inverse(x, y float64) (longitude, latitude float64) {
	return s.grid.Inverse(s.falseEasting-x, s.falseNorthing-y)
}
