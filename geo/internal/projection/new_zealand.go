package projection

import (
	"math"
	"math/cmplx"
)

// newZealandMapGrid is a complex polynomial, fitted to one country by W. I. Reilly (1973).
type newZealandMapGrid struct {
	semiMajorAxis               float64
	meridian, latitude          float64
	falseEasting, falseNorthing float64
}

func newNewZealandMapGrid(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	return &newZealandMapGrid{
		ellipsoid.SemiMajorAxis, p.LongitudeOfOrigin * degree, p.LatitudeOfOrigin * degree, p.FalseEasting, p.FalseNorthing,
	}, nil
}

// reillyIsometric returns the coefficients of the isometric latitude in units of 100,000
// arc-seconds.
func reillyIsometric() [10]float64 {
	return [10]float64{
		0.6399175073, -0.1358797613, 0.063294409, -0.02526853, 0.0117879,
		-0.0055161, 0.0026906, -0.001333, 0.00067, -0.00034,
	}
}

func reillyPlane() [6]complex128 {
	return [6]complex128{
		0.7557853228, 0.249204646 + 0.003371507i, -0.001541739 + 0.041058560i,
		-0.10162907 + 0.01727609i, -0.26623489 - 0.36249218i, -0.6870983 - 1.1651967i,
	}
}

// reillyUnit is 100,000 arc-seconds in radians.
const reillyUnit = 1e5 / 3600 * degree

// reillyRadius is the distance in the plane, in radians, within which the polynomial is invertible.
const reillyRadius = 0.35

func (g *newZealandMapGrid) isometric(latitude float64) (value, derivative float64) {
	coefficients := reillyIsometric()
	for i := len(coefficients) - 1; i >= 0; i-- {
		derivative = derivative*latitude + float64(i+1)*coefficients[i]
		value = (value + coefficients[i]) * latitude
	}
	return value, derivative
}

func (g *newZealandMapGrid) plane(z complex128) (value, derivative complex128) {
	coefficients := reillyPlane()
	for i := len(coefficients) - 1; i >= 0; i-- {
		derivative = derivative*z + complex(float64(i+1), 0)*coefficients[i]
		value = (value + coefficients[i]) * z
	}
	return value, derivative
}

func (g *newZealandMapGrid) Forward(longitude, latitude float64) (x, y float64) {
	isometric, _ := g.isometric((latitude - g.latitude) / reillyUnit)
	z, _ := g.plane(complex(isometric, wrap(longitude-g.meridian)))
	if !(cmplx.Abs(z) < reillyRadius) {
		return nan, nan
	}
	return g.falseEasting + g.semiMajorAxis*imag(z), g.falseNorthing + g.semiMajorAxis*real(z)
}

func (g *newZealandMapGrid) Inverse(x, y float64) (longitude, latitude float64) {
	target := complex((y-g.falseNorthing)/g.semiMajorAxis, (x-g.falseEasting)/g.semiMajorAxis)
	if !(cmplx.Abs(target) < reillyRadius) {
		return nan, nan
	}
	z := target / reillyPlane()[0]
	for range 8 {
		value, derivative := g.plane(z)
		z -= (value - target) / derivative
	}
	isometric := real(z)
	latitude = isometric / reillyIsometric()[0]
	for range 8 {
		value, derivative := g.isometric(latitude)
		latitude -= (value - isometric) / derivative
	}
	latitude = g.latitude + latitude*reillyUnit
	if !(math.Abs(latitude) <= halfPi) {
		return nan, nan
	}
	return wrap(g.meridian + imag(z)), latitude
}
