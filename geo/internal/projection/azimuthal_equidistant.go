package projection

import "math"

// azimuthalEquidistant keeps distances and directions from its center, along geodesics.
type azimuthalEquidistant struct {
	geodesic
	centralMeridian, latitude   float64
	radius                      float64 // of the map, which ends near the antipode
	falseEasting, falseNorthing float64
}

func newAzimuthalEquidistant(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	a := &azimuthalEquidistant{
		geodesic:        newGeodesic(ellipsoid),
		centralMeridian: p.LongitudeOfOrigin * degree,
		latitude:        p.LatitudeOfOrigin * degree,
		falseEasting:    p.FalseEasting,
		falseNorthing:   p.FalseNorthing,
	}
	_, cos := a.reduced(a.latitude)
	meridian := newMeridian(ellipsoid)
	a.radius = 2*meridian.arc(halfPi) - ellipsoid.SemiMajorAxis*a.antipode(cos)
	return a, nil
}

func (a *azimuthalEquidistant) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	distance, azimuth := a.inverse(a.latitude, latitude, math.Remainder(longitude-a.centralMeridian, twoPi))
	sin, cos := math.Sincos(azimuth)
	return a.falseEasting + distance*sin, a.falseNorthing + distance*cos
}

func (a *azimuthalEquidistant) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = x-a.falseEasting, y-a.falseNorthing
	distance := math.Hypot(x, y)
	if !(distance <= a.radius) {
		return nan, nan
	}
	difference, latitude := a.direct(a.latitude, math.Atan2(x, y), distance)
	return wrap(a.centralMeridian + difference), latitude
}

// guam is an approximation of the azimuthal equidistant projection for one island.
type guam struct {
	meridian
	ellipsoid                   Ellipsoid
	centralMeridian             float64
	falseEasting, falseNorthing float64 // the northing includes the arc to the latitude of origin
}

func newGuam(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	g := &guam{
		meridian: newMeridian(ellipsoid), ellipsoid: ellipsoid,
		centralMeridian: p.LongitudeOfOrigin * degree, falseEasting: p.FalseEasting,
	}
	g.falseNorthing = p.FalseNorthing - g.arc(p.LatitudeOfOrigin*degree)
	return g, nil
}

func (g *guam) Forward(longitude, latitude float64) (x, y float64) {
	difference := wrap(longitude - g.centralMeridian)
	if !(math.Abs(difference) <= maxSeriesLongitude && math.Abs(latitude) < halfPi-epsilon) {
		return nan, nan
	}
	sin, cos := math.Sincos(latitude)
	normal := g.ellipsoid.primeVerticalRadius(sin)
	x = normal * cos * difference
	return g.falseEasting + x, g.falseNorthing + g.arc(latitude) + x*x*sin/(2*normal*cos)
}

func (g *guam) Inverse(x, y float64) (longitude, latitude float64) {
	latitude = g.latitude(y - g.falseNorthing)
	difference := (x - g.falseEasting) / (g.ellipsoid.SemiMajorAxis * math.Cos(latitude))
	if !(math.Abs(latitude) < halfPi && math.Abs(difference) <= 2*maxSeriesLongitude) {
		return nan, nan
	}
	longitude, latitude = invert(g.Forward, x, y, g.centralMeridian+difference, latitude)
	return wrap(longitude), latitude
}
