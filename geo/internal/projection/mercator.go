package projection

import (
	"fmt"
	"math"
)

// mercator is the ellipsoidal Mercator projection.
type mercator struct {
	isometry
	centralMeridian, radius     float64
	falseEasting, falseNorthing float64
}

// newMercatorA returns variant A, with its scale factor on the equator.
func newMercatorA(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	if p.LatitudeOfOrigin != 0 {
		return nil, fmt.Errorf("%w: Mercator with its origin at latitude %g", ErrInvalidParameters, p.LatitudeOfOrigin)
	}
	m := &mercator{
		isometry:        newIsometry(ellipsoid),
		centralMeridian: p.LongitudeOfOrigin * degree,
		radius:          ellipsoid.SemiMajorAxis * p.ScaleFactor,
		falseEasting:    p.FalseEasting,
		falseNorthing:   p.FalseNorthing,
	}
	return m, nil
}

// newMercatorB returns variant B, with a standard parallel.
func newMercatorB(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	if math.Abs(p.StandardParallel1) > 89.9 {
		return nil, fmt.Errorf("%w: Mercator with standard parallel %g", ErrInvalidParameters, p.StandardParallel1)
	}
	p.ScaleFactor *= ellipsoid.parallelRadius(p.StandardParallel1 * degree)
	return newMercatorA(ellipsoid, p)
}

func (m *mercator) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) < halfPi-epsilon) {
		return nan, nan
	}
	x = m.falseEasting + m.radius*wrap(longitude-m.centralMeridian)
	return x, m.falseNorthing + m.radius*m.isometric(latitude)
}

func (m *mercator) Inverse(x, y float64) (longitude, latitude float64) {
	longitude = m.centralMeridian + (x-m.falseEasting)/m.radius
	return wrap(longitude), m.geodetic((y - m.falseNorthing) / m.radius)
}

// webMercator treats geodetic latitudes as if they were on a sphere, as every web map does.
type webMercator struct {
	centralMeridian, radius     float64
	falseEasting, falseNorthing float64
}

func newWebMercator(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	return &webMercator{p.LongitudeOfOrigin * degree, ellipsoid.SemiMajorAxis * p.ScaleFactor, p.FalseEasting, p.FalseNorthing}, nil
}

func (m *webMercator) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) < halfPi-epsilon) {
		return nan, nan
	}
	x = m.falseEasting + m.radius*wrap(longitude-m.centralMeridian)
	return x, m.falseNorthing + m.radius*math.Atanh(math.Sin(latitude))
}

func (m *webMercator) Inverse(x, y float64) (longitude, latitude float64) {
	longitude = m.centralMeridian + (x-m.falseEasting)/m.radius
	return wrap(longitude), halfPi - 2*math.Atan(math.Exp((m.falseNorthing-y)/m.radius))
}
