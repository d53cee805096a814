package projection

import (
	"fmt"
	"math"
)

// Ellipsoid is a reference ellipsoid. An InverseFlattening of zero means a sphere.
type Ellipsoid struct {
	SemiMajorAxis     float64 // meters
	InverseFlattening float64
}

// Flattening returns the flattening, 0 for a sphere.
func (e Ellipsoid) Flattening() float64 {
	if e.InverseFlattening == 0 {
		return 0
	}
	return 1 / e.InverseFlattening
}

// EccentricitySquared returns the square of the first eccentricity.
func (e Ellipsoid) EccentricitySquared() float64 {
	f := e.Flattening()
	return f * (2 - f)
}

// validate rejects extreme ellipsoids. The series of this package are exact to nanometers up to a
// flattening of about 1/50, which all mapped planets but the gas giants have.
func (e Ellipsoid) validate() error {
	if !(e.SemiMajorAxis >= 1 && e.SemiMajorAxis <= 1e9) {
		return fmt.Errorf("%w: semi-major axis %g", ErrInvalidParameters, e.SemiMajorAxis)
	}
	if e.InverseFlattening != 0 && !(e.InverseFlattening >= 50) {
		return fmt.Errorf("%w: inverse flattening %g", ErrInvalidParameters, e.InverseFlattening)
	}
	return nil
}

// primeVerticalRadius returns the radius of curvature across the meridian.
func (e Ellipsoid) primeVerticalRadius(sinLatitude float64) float64 {
	return e.SemiMajorAxis / math.Sqrt(1-e.EccentricitySquared()*sinLatitude*sinLatitude)
}

// meridianRadius returns the radius of curvature along the meridian.
func (e Ellipsoid) meridianRadius(sinLatitude float64) float64 {
	e2 := e.EccentricitySquared()
	w := 1 - e2*sinLatitude*sinLatitude
	return e.SemiMajorAxis * (1 - e2) / (w * math.Sqrt(w))
}

// parallelRadius returns the radius of the parallel in units of the semi-major axis (Snyder's m).
func (e Ellipsoid) parallelRadius(latitude float64) float64 {
	sin, cos := math.Sincos(latitude)
	return cos / math.Sqrt(1-e.EccentricitySquared()*sin*sin)
}

const (
	degree  = math.Pi / 180
	halfPi  = math.Pi / 2
	twoPi   = 2 * math.Pi
	epsilon = 1e-10
)

// wrap brings a longitude difference into -π..π and leaves both ends unchanged: a rounding error
// must not move the eastern edge of a world map to the western one.
func wrap(longitude float64) float64 {
	if math.Abs(longitude) <= math.Pi+1e-9 {
		return longitude
	}
	return math.Remainder(longitude, twoPi)
}

var nan = math.NaN()

// ValidateEllipsoid rejects axes that no mapped body has.
func ValidateEllipsoid(e Ellipsoid) error { return e.validate() }
