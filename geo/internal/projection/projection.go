// Package projection converts between geodetic latitude and longitude on one ellipsoid and plane
// coordinates in meters. It must never know datums, EPSG codes of reference systems, units or
// files. Angles passed to Forward and returned by Inverse are radians. A point outside the domain
// of a projection is NaN.
package projection

import (
	"errors"
	"fmt"
	"math"
)

// ErrUnsupportedMethod means that this package does not compute a map projection.
var ErrUnsupportedMethod = errors.New("unsupported map projection")

// ErrInvalidParameters means that a projection is not defined for its parameters.
var ErrInvalidParameters = errors.New("invalid map projection parameters")

// Projection maps longitude and latitude (radians, on its own ellipsoid and prime meridian) to
// meters and back. It is immutable and safe for concurrent use.
type Projection interface {
	Forward(longitude, latitude float64) (x, y float64)
	Inverse(x, y float64) (longitude, latitude float64)
}

// Limbed is a projection of a visible part of the earth, which ends at a limb.
type Limbed interface {
	// Limb returns a place on the limb, just inside, in the direction of an angle.
	Limb(angle float64) (longitude, latitude float64)
}

// Parameters holds the numbers of a map projection in degrees and meters. A method reads only those
// that it defines.
type Parameters struct {
	LatitudeOfOrigin  float64 // also the latitude of the projection center
	LongitudeOfOrigin float64 // also the central meridian
	StandardParallel1 float64
	StandardParallel2 float64
	ScaleFactor       float64 // zero means 1
	FalseEasting      float64
	FalseNorthing     float64

	Azimuth            float64 // of the initial line (Hotine) or co-latitude of the cone axis (Krovak)
	RectifiedGridAngle float64 // Hotine, from the rectified to the skew grid
	EllipsoidScale     float64 // Lambert conic 2SP Michigan; zero means 1
	OriginHeight       float64 // of the plane (Colombia Urban) or of the satellite (geostationary)
}

// Method is a kind of map projection, numbered by its EPSG method code.
type Method int

// The methods that New supports.
const (
	WebMercator                       Method = 1024
	LambertAzimuthalSpherical         Method = 1027
	EquidistantCylindrical            Method = 1028
	EquidistantCylindricalSphere      Method = 1029
	KrovakNorthOriented               Method = 1041
	LambertConicMichigan              Method = 1051
	ColombiaUrban                     Method = 1052
	EqualEarth                        Method = 1078
	TransverseMercator3D              Method = 1111
	EquidistantConic                  Method = 1119
	AzimuthalEquidistant              Method = 1125
	LambertConic1SP                   Method = 9801
	LambertConic2SP                   Method = 9802
	LambertConicBelgium               Method = 9803
	MercatorA                         Method = 9804
	MercatorB                         Method = 9805
	CassiniSoldner                    Method = 9806
	TransverseMercator                Method = 9807
	TransverseMercatorSouthOrientated Method = 9808
	ObliqueStereographic              Method = 9809
	PolarStereographicA               Method = 9810
	NewZealandMapGrid                 Method = 9811
	HotineObliqueMercatorA            Method = 9812
	Laborde                           Method = 9813
	HotineObliqueMercatorB            Method = 9815
	AmericanPolyconic                 Method = 9818
	Krovak                            Method = 9819
	LambertAzimuthal                  Method = 9820
	Albers                            Method = 9822
	EquidistantCylindricalSpherical   Method = 9823
	LambertConicWestOrientated        Method = 9826
	Bonne                             Method = 9827
	BonneSouthOrientated              Method = 9828
	PolarStereographicB               Method = 9829
	PolarStereographicC               Method = 9830
	Guam                              Method = 9831
	ModifiedAzimuthalEquidistant      Method = 9832
	CassiniHyperbolic                 Method = 9833
	LambertCylindricalSpherical       Method = 9834
	LambertCylindrical                Method = 9835
	MercatorSpherical                 Method = 9841
	EquidistantCylindricalWithdrawn   Method = 9842
)

// Methods that the registry lacks have the number of GeoTIFF, negated, and beyond -100 one of our
// own.
const (
	Stereographic       Method = -14 // of any center; the registry has only those at the poles
	Robinson            Method = -23
	Sinusoidal          Method = -24
	VanDerGrinten       Method = -25
	Mollweide           Method = -101
	GeostationarySweepX Method = -102
	GeostationarySweepY Method = -103
)

// builder returns a projection. New has checked the parameters that all methods share.
type builder func(Ellipsoid, Parameters) (Projection, error)

func builders() map[Method]builder {
	return map[Method]builder{
		WebMercator:                       newWebMercator,
		MercatorSpherical:                 newWebMercator,
		MercatorA:                         newMercatorA,
		MercatorB:                         newMercatorB,
		TransverseMercator:                newTransverseMercator,
		TransverseMercator3D:              newTransverseMercator,
		TransverseMercatorSouthOrientated: newTransverseMercatorSouth,
		LambertConic1SP:                   newLambertConic1SP,
		LambertConic2SP:                   newLambertConic2SP,
		LambertConicBelgium:               newLambertConicBelgium,
		LambertConicMichigan:              newLambertConicMichigan,
		LambertConicWestOrientated:        newLambertConicWest,
		Albers:                            newAlbers,
		LambertAzimuthal:                  newLambertAzimuthal,
		LambertAzimuthalSpherical:         newLambertAzimuthalSpherical,
		PolarStereographicA:               newPolarStereographicA,
		PolarStereographicB:               newPolarStereographicB,
		PolarStereographicC:               newPolarStereographicC,
		ObliqueStereographic:              newObliqueStereographic,
		HotineObliqueMercatorA:            newHotineA,
		HotineObliqueMercatorB:            newHotineB,
		CassiniSoldner:                    newCassini,
		CassiniHyperbolic:                 newCassiniHyperbolic,
		EquidistantCylindrical:            newEquidistantCylindrical,
		EquidistantCylindricalSpherical:   newEquidistantCylindricalSpherical,
		LambertCylindrical:                newEqualAreaCylindrical,
		LambertCylindricalSpherical:       newEqualAreaCylindricalSpherical,
		EqualEarth:                        newEqualEarth,
		AmericanPolyconic:                 newPolyconic,
		Krovak:                            newKrovak,
		KrovakNorthOriented:               newKrovakNorth,
		NewZealandMapGrid:                 newNewZealandMapGrid,
		ColombiaUrban:                     newColombiaUrban,
		EquidistantCylindricalSphere:      newEquidistantCylindricalSpherical,
		EquidistantCylindricalWithdrawn:   newEquidistantCylindrical,
		EquidistantConic:                  newEquidistantConic,
		AzimuthalEquidistant:              newAzimuthalEquidistant,
		ModifiedAzimuthalEquidistant:      newAzimuthalEquidistant,
		Guam:                              newGuam,
		Stereographic:                     newStereographic,
		Laborde:                           newLaborde,
		Bonne:                             newBonne,
		BonneSouthOrientated:              newBonneSouth,
		Robinson:                          newRobinson,
		Sinusoidal:                        newSinusoidal,
		VanDerGrinten:                     newVanDerGrinten,
		Mollweide:                         newMollweide,
		GeostationarySweepX:               newGeostationaryX,
		GeostationarySweepY:               newGeostationaryY,
	}
}

// New checks the parameters and precomputes everything that does not depend on a point.
func New(method Method, ellipsoid Ellipsoid, parameters Parameters) (Projection, error) {
	if err := method.Validate(); err != nil {
		return nil, err
	}
	if err := ellipsoid.validate(); err != nil {
		return nil, err
	}
	if err := parameters.validate(); err != nil {
		return nil, err
	}
	if parameters.ScaleFactor == 0 {
		parameters.ScaleFactor = 1
	}
	if parameters.EllipsoidScale == 0 {
		parameters.EllipsoidScale = 1
	}
	return builders()[method](ellipsoid, parameters)
}

// Validate returns an error that names a map projection which this package does not compute.
func (m Method) Validate() error {
	if _, ok := builders()[m]; ok {
		return nil
	}
	name, isNamed := map[Method]string{
		1042: "Krovak Modified", 1043: "Krovak Modified (North Orientated)", 9816: "Tunisia Mining Grid",
		9817: "Lambert Conic Near-Conformal", 9824: "Transverse Mercator Zoned Grid System",
	}[m]
	if !isNamed {
		return fmt.Errorf("%w: EPSG method %d", ErrUnsupportedMethod, int(m))
	}
	return fmt.Errorf("%w: EPSG method %d, %s", ErrUnsupportedMethod, int(m), name)
}

func (p Parameters) validate() error {
	angles := []float64{p.LatitudeOfOrigin, p.LongitudeOfOrigin, p.StandardParallel1, p.StandardParallel2, p.Azimuth, p.RectifiedGridAngle}
	for _, angle := range angles {
		if !(math.Abs(angle) <= 720) {
			return fmt.Errorf("%w: angle %g", ErrInvalidParameters, angle)
		}
	}
	for _, latitude := range []float64{p.LatitudeOfOrigin, p.StandardParallel1, p.StandardParallel2} {
		if math.Abs(latitude) > 90 {
			return fmt.Errorf("%w: latitude %g", ErrInvalidParameters, latitude)
		}
	}
	for _, scale := range []float64{p.ScaleFactor, p.EllipsoidScale} {
		if !(scale >= 0 && scale <= 100) {
			return fmt.Errorf("%w: scale factor %g", ErrInvalidParameters, scale)
		}
	}
	for _, length := range []float64{p.FalseEasting, p.FalseNorthing, p.OriginHeight} {
		if !(math.Abs(length) <= 1e10) {
			return fmt.Errorf("%w: offset %g", ErrInvalidParameters, length)
		}
	}
	return nil
}
