package projection

import (
	"fmt"
	"math"
)

// krovak is the oblique conformal conic of the Czech and Slovak republics. StandardParallel1 is the
// pseudo standard parallel and Azimuth the co-latitude of the cone axis.
type krovak struct {
	gaussSphere
	meridian                    float64
	sinAxis, cosAxis            float64
	cone, scale                 float64
	north                       bool // x is the negative westing; otherwise x is the southing, which the registry puts first
	falseEasting, falseNorthing float64
}

func newKrovak(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	return krovakOf(ellipsoid, p, false)
}

func newKrovakNorth(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	return krovakOf(ellipsoid, p, true)
}

func krovakOf(ellipsoid Ellipsoid, p Parameters, north bool) (Projection, error) {
	parallel := p.StandardParallel1 * degree
	if !(parallel > 0.01 && parallel < halfPi-0.01) {
		return nil, fmt.Errorf("%w: Krovak with pseudo standard parallel %g", ErrInvalidParameters, p.StandardParallel1)
	}
	k := &krovak{
		gaussSphere:   newGaussSphere(ellipsoid, p.LatitudeOfOrigin*degree),
		meridian:      p.LongitudeOfOrigin * degree,
		cone:          math.Sin(parallel),
		north:         north,
		falseEasting:  p.FalseEasting,
		falseNorthing: p.FalseNorthing,
	}
	k.sinAxis, k.cosAxis = math.Sincos(p.Azimuth * degree)
	k.scale = p.ScaleFactor * k.radius / math.Tan(parallel) * math.Exp(k.cone*math.Atanh(k.cone))
	return k, nil
}

func (k *krovak) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) < halfPi-epsilon) {
		return nan, nan
	}
	sin, cos := k.sincos(latitude)
	sinLongitude, cosLongitude := math.Sincos(k.exponent * wrap(k.meridian-longitude))
	up := k.cosAxis*sin + k.sinAxis*cos*cosLongitude
	toward := k.cosAxis*cos*cosLongitude - k.sinAxis*sin
	if !(math.Abs(up) < 1-epsilon) {
		return nan, nan
	}
	radius := k.scale * math.Exp(-k.cone*math.Atanh(up))
	sinAngle, cosAngle := math.Sincos(k.cone * math.Atan2(cos*sinLongitude, toward))
	west, south := radius*sinAngle+k.falseEasting, radius*cosAngle+k.falseNorthing
	if k.north {
		return -west, -south
	}
	return south, west
}

func (k *krovak) Inverse(x, y float64) (longitude, latitude float64) {
	if k.north {
		x, y = -y, -x
	}
	south, west := x-k.falseNorthing, y-k.falseEasting
	angle := math.Atan2(west, south) / k.cone
	if !(math.Abs(angle) <= math.Pi+1e-9) {
		return nan, nan
	}
	isometric := -math.Log(math.Hypot(west, south)/k.scale) / k.cone
	up, across := math.Tanh(isometric), 1/math.Cosh(isometric)
	sin, cos := math.Sincos(angle)
	toward := across * cos
	sinLatitude := k.cosAxis*up - k.sinAxis*toward
	equatorial := k.sinAxis*up + k.cosAxis*toward
	longitude = k.meridian - math.Atan2(across*sin, equatorial)/k.exponent
	return wrap(longitude), k.geodeticFromSphere(sinLatitude, math.Hypot(across*sin, equatorial))
}
