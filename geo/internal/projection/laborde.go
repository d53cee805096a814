package projection

import (
	"math"
	"math/cmplx"
)

// laborde is the oblique Mercator projection of Madagascar: a transverse Mercator projection of the
// sphere that touches the ellipsoid at the center, turned by a cubic function.
type laborde struct {
	gaussSphere
	centralMeridian             float64
	sinOrigin, cosOrigin        float64
	scaledRadius                float64
	turn                        complex128
	falseEasting, falseNorthing float64
}

func newLaborde(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	l := &laborde{
		gaussSphere:     newGaussSphere(ellipsoid, p.LatitudeOfOrigin*degree),
		centralMeridian: p.LongitudeOfOrigin * degree,
		falseEasting:    p.FalseEasting,
		falseNorthing:   p.FalseNorthing,
	}
	l.sinOrigin, l.cosOrigin = math.Sincos(l.gaussSphere.latitude)
	l.scaledRadius = l.radius * p.ScaleFactor
	sin, cos := math.Sincos(2 * p.Azimuth * degree)
	l.turn = complex(1-cos, sin) / 12
	return l, nil
}

// maxLabordeDistance is the distance from the center, in radians, where the projection ends. The
// cubic function folds the map soon behind.
const maxLabordeDistance = 0.7

func (l *laborde) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) < halfPi-epsilon) {
		return nan, nan
	}
	sin, cos := l.sincos(latitude)
	sinLongitude, cosLongitude := math.Sincos(l.exponent * wrap(longitude-l.centralMeridian))
	toward := cos*cosLongitude*l.cosOrigin + sin*l.sinOrigin
	north := sin*l.cosOrigin - cos*cosLongitude*l.sinOrigin
	h := complex(math.Atan2(north, toward), math.Atanh(cos*sinLongitude))
	if !(cmplx.Abs(h) <= maxLabordeDistance) {
		return nan, nan
	}
	place := h + l.turn*h*h*h
	return l.falseEasting + l.scaledRadius*imag(place), l.falseNorthing + l.scaledRadius*real(place)
}

func (l *laborde) Inverse(x, y float64) (longitude, latitude float64) {
	place := complex((y-l.falseNorthing)/l.scaledRadius, (x-l.falseEasting)/l.scaledRadius)
	if !(cmplx.Abs(place) <= 1) {
		return nan, nan
	}
	h := place
	for range 30 {
		h -= (h + l.turn*h*h*h - place) / (1 + 3*l.turn*h*h)
	}
	if !(cmplx.Abs(h) <= maxLabordeDistance && cmplx.Abs(h+l.turn*h*h*h-place) < 1e-12) {
		return nan, nan
	}
	east, cosEast := math.Tanh(imag(h)), 1/math.Cosh(imag(h))
	sin, cos := math.Sincos(real(h))
	north, toward := cosEast*sin, cosEast*cos
	up := toward*l.sinOrigin + north*l.cosOrigin
	forward := toward*l.cosOrigin - north*l.sinOrigin
	longitude = l.centralMeridian + math.Atan2(east, forward)/l.exponent
	return wrap(longitude), l.geodeticFromSphere(up, math.Hypot(east, forward))
}
