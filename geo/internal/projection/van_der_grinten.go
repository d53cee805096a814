package projection

import "math"

// vanDerGrinten shows the whole earth in a circle. It is defined on a sphere only, for which an
// ellipsoid is replaced by the sphere of its area, as in PROJ. Meridians and parallels are arcs of circles. Meridians pass through both poles. The arc of a parallel is given
// by its heights above the center and at the edge of the map.
type vanDerGrinten struct {
	radius, centralMeridian     float64 // radius of the map
	falseEasting, falseNorthing float64
}

func newVanDerGrinten(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	authalic := newAuthality(ellipsoid)
	return &vanDerGrinten{authalic.radius * math.Pi, p.LongitudeOfOrigin * degree, p.FalseEasting, p.FalseNorthing}, nil
}

func (v *vanDerGrinten) Forward(longitude, latitude float64) (x, y float64) {
	difference := wrap(longitude - v.centralMeridian)
	if !(math.Abs(latitude) <= halfPi+epsilon) {
		return nan, nan
	}
	x, y = vanDerGrintenPoint(math.Abs(difference)/math.Pi, min(1, math.Abs(latitude)/halfPi))
	return v.falseEasting + v.radius*math.Copysign(x, difference), v.falseNorthing + v.radius*math.Copysign(y, latitude)
}

// vanDerGrintenPoint maps a longitude and a latitude from 0 to 1 to a quarter of the unit circle.
func vanDerGrintenPoint(longitude, latitude float64) (x, y float64) {
	cos := math.Sqrt((1 - latitude) * (1 + latitude))
	switch {
	case latitude < 1e-14:
		return longitude, 0
	case longitude < 1e-14 || cos < 1e-14:
		return 0, latitude / (1 + cos)
	}
	// Letters follow Snyder, "Map projections: a working manual". Of the quadratic equation for x we
	// take the form that does not cancel.
	a := (1/longitude - longitude) / 2
	g := cos / (latitude * (1 + cos - latitude) / (1 + cos))
	ratio := 2/latitude - 1
	p2 := g * g * ratio * ratio
	b := a * (p2 - g)
	x = g * g * (ratio - 1) * (ratio + 1) / (b + math.Sqrt(max(0, b*b+(p2+a*a)*g*g*(ratio-1)*(ratio+1))))
	return x, parallelHeight(latitude, cos, 1-2*a*x)
}

// parallelHeight returns the height of a parallel at a squared distance from the center of the map.
// The parallel has the sine and cosine of an angle, whose sine is the latitude.
func parallelHeight(sin, cos, squared float64) float64 {
	center := sin / (1 + cos)
	bend := 0.5
	if cos > 0 {
		bend = sin * sin * (1 + cos - sin) / (2 * cos * (1 + cos) * (2 - sin))
	}
	return center + bend*(squared-center*center)
}

func (v *vanDerGrinten) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = (x-v.falseEasting)/v.radius, (y-v.falseNorthing)/v.radius
	squared := x*x + y*y
	if !(squared <= 1+1e-12) {
		return nan, nan
	}
	squared = min(squared, 1)
	longitude = 2 * x / (1 - squared + math.Hypot(1-squared, 2*x))
	if x == 0 {
		longitude = 0
	}
	latitude = halfPi * math.Copysign(vanDerGrintenLatitude(math.Abs(y), squared), y)
	return wrap(v.centralMeridian + math.Pi*longitude), latitude
}

// vanDerGrintenLatitude solves for the angle of the parallel by Newton's method, from where it
// crosses the central meridian at this height.
func vanDerGrintenLatitude(y, squared float64) float64 {
	const step, tolerance = 1e-7, 1e-15
	height := func(angle float64) float64 {
		sin, cos := math.Sincos(angle)
		return parallelHeight(sin, max(0, cos), squared)
	}
	angle := 2 * math.Atan(y)
	for range 30 {
		slope := (height(angle) - height(angle-step)) / step
		change := (y - height(angle)) / slope
		angle = max(0, min(halfPi, angle+change))
		if math.Abs(change) < tolerance {
			break
		}
	}
	return math.Sin(angle)
}
