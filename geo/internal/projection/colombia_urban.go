package projection

import "math"

// colombiaUrban is a local projection on a plane at the height of a city.
type colombiaUrban struct {
	ellipsoid                   Ellipsoid
	meridian, latitude          float64
	height                      float64
	east, north, bend           float64 // A, ρ0 and B of EPSG Guidance Note 7-2
	falseEasting, falseNorthing float64
}

func newColombiaUrban(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	latitude := p.LatitudeOfOrigin * degree
	sin := math.Sin(latitude)
	rho, nu := ellipsoid.meridianRadius(sin), ellipsoid.primeVerticalRadius(sin)
	return &colombiaUrban{
		ellipsoid: ellipsoid,
		meridian:  p.LongitudeOfOrigin * degree, latitude: latitude,
		height: p.OriginHeight,
		east:   1 + p.OriginHeight/nu, north: rho, bend: math.Tan(latitude) / (2 * rho * nu),
		falseEasting: p.FalseEasting, falseNorthing: p.FalseNorthing,
	}, nil
}

func (c *colombiaUrban) Forward(longitude, latitude float64) (x, y float64) {
	difference := wrap(longitude - c.meridian)
	if !(math.Abs(difference) <= maxSeriesLongitude && math.Abs(latitude) < halfPi) {
		return nan, nan
	}
	sin, cos := math.Sincos(latitude)
	parallel := c.ellipsoid.primeVerticalRadius(sin) * cos * difference
	middle := c.ellipsoid.meridianRadius(math.Sin((latitude + c.latitude) / 2))
	y = (1 + c.height/middle) * c.north * (latitude - c.latitude + c.bend*parallel*parallel)
	return c.falseEasting + c.east*parallel, c.falseNorthing + y
}

func (c *colombiaUrban) Inverse(x, y float64) (longitude, latitude float64) {
	latitude = c.latitude + (y-c.falseNorthing)/c.north
	longitude = c.meridian + (x-c.falseEasting)/(c.ellipsoid.SemiMajorAxis*math.Cos(latitude))
	if !(math.Abs(latitude) < halfPi && math.Abs(longitude-c.meridian) <= 2*maxSeriesLongitude) {
		return nan, nan
	}
	longitude, latitude = invert(c.Forward, x, y, longitude, latitude)
	return wrap(longitude), latitude
}
