package projection

import "math"

// lambertAzimuthal is the azimuthal equal-area projection, including the polar ones.
type lambertAzimuthal struct {
	authality
	centralMeridian             float64
	sinCenter, cosCenter        float64 // of the authalic latitude
	stretch                     float64 // makes the scale at the center equal in all directions (Snyder's D)
	falseEasting, falseNorthing float64
}

func newLambertAzimuthal(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	l := &lambertAzimuthal{
		authality:       newAuthality(ellipsoid),
		centralMeridian: p.LongitudeOfOrigin * degree,
		stretch:         1,
		falseEasting:    p.FalseEasting,
		falseNorthing:   p.FalseNorthing,
	}
	center := p.LatitudeOfOrigin * degree
	if math.Abs(center) > halfPi-epsilon {
		l.sinCenter = math.Copysign(1, center)
		return l, nil
	}
	l.sinCenter, l.cosCenter = math.Sincos(l.authalic(center))
	l.stretch = ellipsoid.SemiMajorAxis * ellipsoid.parallelRadius(center) / (l.radius * l.cosCenter)
	return l, nil
}

// newLambertAzimuthalSpherical returns the spherical form, on the sphere of equal area.
func newLambertAzimuthalSpherical(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	authalic := newAuthality(ellipsoid)
	return newLambertAzimuthal(Ellipsoid{SemiMajorAxis: authalic.radius}, p)
}

func (l *lambertAzimuthal) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	sin, cos := math.Sincos(l.authalic(latitude))
	sinLongitude, cosLongitude := math.Sincos(longitude - l.centralMeridian)
	nearness := 1 + l.sinCenter*sin + l.cosCenter*cos*cosLongitude
	if nearness < epsilon {
		return nan, nan // the antipode maps to a circle
	}
	scale := l.radius * math.Sqrt(2/nearness)
	x = scale * l.stretch * cos * sinLongitude
	y = scale / l.stretch * (l.cosCenter*sin - l.sinCenter*cos*cosLongitude)
	return l.falseEasting + x, l.falseNorthing + y
}

func (l *lambertAzimuthal) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = (x-l.falseEasting)/(l.stretch*l.radius), (y-l.falseNorthing)*l.stretch/l.radius
	squared := x*x + y*y
	if !(squared <= 4) {
		return nan, nan
	}
	// The unit vector of the point: c along the center, and s·(x, y) across it.
	c, s := 1-squared/2, math.Sqrt(1-squared/4)
	north := y * s
	up := c*l.sinCenter + north*l.cosCenter
	toward := c*l.cosCenter - north*l.sinCenter
	authalic := math.Atan2(up, math.Hypot(x*s, toward))
	return wrap(math.Atan2(x*s, toward) + l.centralMeridian), l.geodetic(authalic)
}
