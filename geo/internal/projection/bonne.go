package projection

import (
	"fmt"
	"math"
)

// bonne is an equal-area projection whose parallels are true to scale, as arcs around one point.
type bonne struct {
	meridian
	ellipsoid                   Ellipsoid
	centralMeridian             float64
	apex                        float64 // arc from the equator to the center of the parallels, meters
	originRadius                float64
	falseEasting, falseNorthing float64
}

func newBonne(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	latitude := p.LatitudeOfOrigin * degree
	if math.Abs(latitude) < 1e-8 {
		return nil, fmt.Errorf("%w: Bonne with its standard parallel at the equator", ErrInvalidParameters)
	}
	b := &bonne{
		meridian: newMeridian(ellipsoid), ellipsoid: ellipsoid, centralMeridian: p.LongitudeOfOrigin * degree,
		falseEasting: p.FalseEasting, falseNorthing: p.FalseNorthing,
	}
	b.originRadius = ellipsoid.SemiMajorAxis * ellipsoid.parallelRadius(latitude) / math.Sin(latitude)
	b.apex = b.originRadius + b.arc(latitude)
	return b, nil
}

func (b *bonne) parallel(latitude float64) float64 {
	return b.ellipsoid.SemiMajorAxis * b.ellipsoid.parallelRadius(latitude)
}

func (b *bonne) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	radius := b.apex - b.arc(latitude)
	along := wrap(longitude-b.centralMeridian) * b.parallel(latitude)
	if math.Abs(radius) < 1e-6 { // the pole, where it is the center
		return b.falseEasting, b.falseNorthing + b.originRadius
	}
	sin, cos := math.Sincos(along / radius)
	return b.falseEasting + radius*sin, b.falseNorthing + b.originRadius - radius*cos
}

func (b *bonne) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = x-b.falseEasting, b.originRadius-(y-b.falseNorthing)
	sign := math.Copysign(1, b.originRadius)
	radius := sign * math.Hypot(x, y)
	latitude = b.latitude(b.apex - radius)
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	along, parallel := radius*math.Atan2(sign*x, sign*y), b.parallel(latitude)
	if math.Abs(parallel) < 1e-3 { // every longitude is right at a pole
		if !(math.Abs(along) < 1e-2) {
			return nan, nan
		}
		along = 0
	}
	if !(math.Abs(along) <= (math.Pi+1e-9)*math.Abs(parallel)) {
		return nan, nan
	}
	return wrap(b.centralMeridian + along/parallel), latitude
}

// bonneSouth counts westings and southings, as the grid of Portugal does.
type bonneSouth struct {
	grid                        Projection
	falseEasting, falseNorthing float64
}

func newBonneSouth(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	s := &bonneSouth{falseEasting: p.FalseEasting, falseNorthing: p.FalseNorthing}
	p.FalseEasting, p.FalseNorthing = 0, 0
	var err error
	s.grid, err = newBonne(ellipsoid, p)
	return s, err
}

func (s *bonneSouth) Forward(longitude, latitude float64) (x, y float64) {
	x, y = s.grid.Forward(longitude, latitude)
	return s.falseEasting - x, s.falseNorthing - y
}

func (s *bonneSouth) Inverse(x, y float64) (longitude, latitude float64) {
	return s.grid.Inverse(s.falseEasting-x, s.falseNorthing-y)
}
