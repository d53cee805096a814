package projection

import (
	"fmt"
	"math"
)

// geostationary is the view of a satellite above the equator. Coordinates are the angles of its
// scan, times its height.
type geostationary struct {
	centralMeridian float64
	height          float64 // of the satellite above the equator, meters
	distance        float64 // from the center of the earth, in units of the semi-major axis
	axisRatio       float64 // of the ellipsoid
	sweepX          bool    // the mirror scans along x first, as on GOES; else along y, as on Meteosat

	falseEasting, falseNorthing float64
}

func newGeostationaryX(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	return geostationaryOf(ellipsoid, p, true)
}

func newGeostationaryY(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	return geostationaryOf(ellipsoid, p, false)
}

func geostationaryOf(ellipsoid Ellipsoid, p Parameters, sweepX bool) (Projection, error) {
	if !(p.OriginHeight > 1e-3*ellipsoid.SemiMajorAxis) {
		return nil, fmt.Errorf("%w: a satellite at a height of %g m", ErrInvalidParameters, p.OriginHeight)
	}
	return &geostationary{
		centralMeridian: p.LongitudeOfOrigin * degree,
		height:          p.OriginHeight,
		distance:        1 + p.OriginHeight/ellipsoid.SemiMajorAxis,
		axisRatio:       1 - ellipsoid.Flattening(),
		sweepX:          sweepX,
		falseEasting:    p.FalseEasting,
		falseNorthing:   p.FalseNorthing,
	}, nil
}

// Forward is NaN behind the horizon of the satellite.
func (g *geostationary) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	sin, cos := math.Sincos(math.Atan(g.axisRatio * math.Tan(latitude))) // of the reduced latitude
	sinLongitude, cosLongitude := math.Sincos(longitude - g.centralMeridian)
	if cos*cosLongitude*g.distance < 1 {
		return nan, nan
	}
	toward := g.distance - cos*cosLongitude
	east, north := cos*sinLongitude, g.axisRatio*sin
	if g.sweepX {
		x, y = math.Atan(east/math.Hypot(north, toward)), math.Atan(north/toward)
	} else {
		x, y = math.Atan(east/toward), math.Atan(north/math.Hypot(east, toward))
	}
	return g.falseEasting + g.height*x, g.falseNorthing + g.height*y
}

var _ Limbed = (*geostationary)(nil)

// Limb returns where a line of sight touches the ellipsoid.
func (g *geostationary) Limb(angle float64) (longitude, latitude float64) {
	toward := (1 + 1e-9) / g.distance
	sin, cos := math.Sincos(angle)
	across := math.Sqrt(1 - toward*toward)
	east, north := across*cos, across*sin
	return wrap(math.Atan2(east, toward) + g.centralMeridian), math.Atan2(north, g.axisRatio*math.Hypot(east, toward))
}

// Inverse follows the line of sight from the satellite to the ellipsoid.
func (g *geostationary) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = (x-g.falseEasting)/g.height, (y-g.falseNorthing)/g.height
	if !(math.Abs(x) < halfPi && math.Abs(y) < halfPi) {
		return nan, nan
	}
	east, north := math.Tan(x), math.Tan(y)
	if g.sweepX {
		east *= math.Hypot(1, north)
	} else {
		north *= math.Hypot(1, east)
	}
	north /= g.axisRatio // on the sphere to which the ellipsoid is stretched
	squared := 1 + east*east + north*north
	discriminant := g.distance*g.distance - squared*(g.distance*g.distance-1)
	if !(discriminant >= 0) {
		return nan, nan
	}
	way := (g.distance - math.Sqrt(discriminant)) / squared
	east, north = east*way, north*way
	toward := g.distance - way
	longitude = math.Atan2(east, toward) + g.centralMeridian
	return wrap(longitude), math.Atan2(north, g.axisRatio*math.Hypot(east, toward))
}
