package projection

import "math"

// mollweide is an equal-area projection of the whole earth on an ellipse. It is defined on a sphere
// only.
type mollweide struct {
	radius, centralMeridian     float64
	falseEasting, falseNorthing float64
}

func newMollweide(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	return &mollweide{ellipsoid.SemiMajorAxis * math.Sqrt2, p.LongitudeOfOrigin * degree, p.FalseEasting, p.FalseNorthing}, nil
}

// parametric returns the angle θ of a latitude: 2θ + sin 2θ = π·sin(latitude). Near the poles, where
// Newton's method is slow, it starts from the first term of a series.
func parametric(latitude float64) float64 {
	colatitude := halfPi - math.Abs(latitude)
	half := math.Sin(colatitude / 2)
	area := 2 * math.Pi * half * half // u - sin u, with u = π - 2θ
	u := math.Cbrt(6 * area)
	for range 12 {
		cos := math.Sin(u / 2)
		slope := 2 * cos * cos
		if slope < 1e-14 {
			break
		}
		step := (minusSine(u) - area) / slope
		u -= step
		if math.Abs(step) < 1e-15*u {
			break
		}
	}
	return math.Copysign((math.Pi-u)/2, latitude)
}

// minusSine returns u - sin u, precisely for small u too.
func minusSine(u float64) float64 {
	if u > 0.3 {
		return u - math.Sin(u)
	}
	u2 := u * u
	return u * u2 / 6 * (1 - u2/20*(1-u2/42*(1-u2/72*(1-u2/110*(1-u2/156)))))
}

func (m *mollweide) Forward(longitude, latitude float64) (x, y float64) {
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	sin, cos := math.Sincos(parametric(max(-halfPi, min(halfPi, latitude))))
	difference := wrap(longitude - m.centralMeridian)
	return m.falseEasting + 2/math.Pi*m.radius*difference*cos, m.falseNorthing + m.radius*sin
}

func (m *mollweide) Inverse(x, y float64) (longitude, latitude float64) {
	sin := (y - m.falseNorthing) / m.radius
	if !(math.Abs(sin) <= 1+epsilon) {
		return nan, nan
	}
	theta := math.Asin(max(-1, min(1, sin)))
	latitude = math.Asin(max(-1, min(1, (2*theta+math.Sin(2*theta))/math.Pi)))
	x = (x - m.falseEasting) / m.radius * halfPi
	cos := math.Cos(theta)
	if !(math.Abs(x) <= cos*math.Pi+1e-7) {
		return nan, nan
	}
	if cos < 1e-8 { // every longitude is right at a pole
		return m.centralMeridian, latitude
	}
	return wrap(m.centralMeridian + max(-math.Pi, min(math.Pi, x/cos))), latitude
}
