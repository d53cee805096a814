package projection

import (
	"fmt"
	"math"
)

// hotine is the rectified skew orthomorphic projection. Letters follow EPSG Guidance Note 7-2.
type hotine struct {
	isometry
	a, b, h                     float64
	sinSkew, cosSkew            float64 // γ0
	sinRectified, cosRectified  float64 // γc
	origin                      float64 // λ0
	center                      float64 // u of the projection center, 0 for variant A
	falseEasting, falseNorthing float64
}

func newHotineA(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	h, err := hotineOf(ellipsoid, p)
	if err != nil {
		return nil, err
	}
	h.center = 0
	return h, nil
}

func newHotineB(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	if math.Abs(p.Azimuth-90) < 1e-8 && math.Abs(p.RectifiedGridAngle-90) < 1e-8 {
		return newSwissOblique(ellipsoid, p)
	}
	return hotineOf(ellipsoid, p)
}

func hotineOf(ellipsoid Ellipsoid, p Parameters) (*hotine, error) {
	latitude, azimuth := p.LatitudeOfOrigin*degree, p.Azimuth*degree
	if math.Abs(latitude) > halfPi-1e-7 {
		return nil, fmt.Errorf("%w: oblique Mercator centered on a pole", ErrInvalidParameters)
	}
	e2 := ellipsoid.EccentricitySquared()
	sin, cos := math.Sincos(latitude)
	w := 1 - e2*sin*sin
	h := &hotine{isometry: newIsometry(ellipsoid), falseEasting: p.FalseEasting, falseNorthing: p.FalseNorthing}
	h.b = math.Sqrt(1 + e2*cos*cos*cos*cos/(1-e2))
	h.a = ellipsoid.SemiMajorAxis * h.b * p.ScaleFactor * math.Sqrt(1-e2) / w
	d := max(1, h.b*math.Sqrt(1-e2)/(cos*math.Sqrt(w)))
	root := math.Copysign(math.Sqrt(d*d-1), latitude)
	f := d + root
	h.h = f * math.Pow(h.colatitude(latitude), h.b)
	skew := math.Asin(math.Sin(azimuth) / d)
	h.sinSkew, h.cosSkew = math.Sincos(skew)
	h.sinRectified, h.cosRectified = math.Sincos(p.RectifiedGridAngle * degree)
	h.origin = p.LongitudeOfOrigin*degree - math.Asin(max(-1, min(1, (f-1/f)/2*math.Tan(skew))))/h.b
	if math.Abs(math.Cos(azimuth)) < 1e-8 {
		h.center = h.a * (p.LongitudeOfOrigin*degree - h.origin)
	} else {
		h.center = h.a / h.b * math.Atan2(root, math.Cos(azimuth))
	}
	return h, nil
}

func (h *hotine) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) < halfPi-epsilon) {
		return nan, nan
	}
	q := h.h / math.Exp(h.b*math.Log(h.colatitude(latitude)))
	s, t := (q-1/q)/2, (q+1/q)/2
	sin, cos := math.Sincos(h.b * wrap(longitude-h.origin))
	sine := (s*h.sinSkew - sin*h.cosSkew) / t
	if !(math.Abs(sine) < 1-epsilon) {
		return nan, nan
	}
	v := -h.a / h.b * math.Atanh(sine)
	u := h.a/h.b*math.Atan2(s*h.cosSkew+sin*h.sinSkew, cos) - h.center
	return h.falseEasting + v*h.cosRectified + u*h.sinRectified,
		h.falseNorthing + u*h.cosRectified - v*h.sinRectified
}

func (h *hotine) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = x-h.falseEasting, y-h.falseNorthing
	v := x*h.cosRectified - y*h.sinRectified
	u := y*h.cosRectified + x*h.sinRectified + h.center
	q := math.Exp(-h.b * v / h.a)
	s, t := (q-1/q)/2, (q+1/q)/2
	sin, cos := math.Sincos(h.b * u / h.a)
	sine := (sin*h.cosSkew + s*h.sinSkew) / t
	if !(math.Abs(sine) < 1) {
		return nan, nan
	}
	tangent := math.Exp((math.Log(h.h) - math.Atanh(sine)) / h.b)
	longitude = h.origin - math.Atan2(s*h.cosSkew-sin*h.sinSkew, cos)/h.b
	return wrap(longitude), h.geodeticFromColatitude(tangent)
}
