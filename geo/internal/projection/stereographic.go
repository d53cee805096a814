package projection

import "math"

// stereographic is the oblique stereographic projection of the USGS: of the conformal sphere, seen
// from the antipode of the center. It differs from the double projection that the registry calls
// oblique stereographic.
type stereographic struct {
	isometry
	centralMeridian             float64
	sinCenter, cosCenter        float64 // of the conformal latitude
	diameter                    float64
	falseEasting, falseNorthing float64
}

func newStereographic(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	if math.Abs(p.LatitudeOfOrigin) > 90-1e-8 {
		p.LatitudeOfOrigin = math.Copysign(90, p.LatitudeOfOrigin)
		return newPolarStereographicA(ellipsoid, p)
	}
	s := &stereographic{
		isometry: newIsometry(ellipsoid), centralMeridian: p.LongitudeOfOrigin * degree,
		falseEasting: p.FalseEasting, falseNorthing: p.FalseNorthing,
	}
	center := p.LatitudeOfOrigin * degree
	s.sinCenter, s.cosCenter = s.conformal(center)
	s.diameter = 2 * ellipsoid.SemiMajorAxis * p.ScaleFactor * ellipsoid.parallelRadius(center) / s.cosCenter
	return s, nil
}

// conformal returns the sine and cosine of the conformal latitude.
func (s *stereographic) conformal(latitude float64) (sin, cos float64) {
	t := s.colatitude(latitude)
	if math.IsInf(t, 0) {
		return -1, 0
	}
	return (1 - t) * (1 + t) / (1 + t*t), 2 * t / (1 + t*t)
}

func (s *stereographic) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	sin, cos := s.conformal(max(-halfPi, min(halfPi, latitude)))
	sinLongitude, cosLongitude := math.Sincos(longitude - s.centralMeridian)
	nearness := 1 + sin*s.sinCenter + cos*s.cosCenter*cosLongitude
	if !(nearness > 1e-6) {
		return nan, nan // near the antipode
	}
	scale := s.diameter / nearness
	return s.falseEasting + scale*cos*sinLongitude,
		s.falseNorthing + scale*(sin*s.cosCenter-cos*s.sinCenter*cosLongitude)
}

func (s *stereographic) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = (x-s.falseEasting)/s.diameter, (y-s.falseNorthing)/s.diameter
	squared := x*x + y*y
	along, across := (1-squared)/(1+squared), 2/(1+squared)
	east, north := x*across, y*across
	up := along*s.sinCenter + north*s.cosCenter
	toward := along*s.cosCenter - north*s.sinCenter
	tangent := math.Hypot(east, toward) / (1 + math.Abs(up)) // of half the conformal co-latitude
	return wrap(math.Atan2(east, toward) + s.centralMeridian), math.Copysign(s.geodeticFromColatitude(tangent), up)
}
