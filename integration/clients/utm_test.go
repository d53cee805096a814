package clients

import (
	"image/color"
	"math"
	"testing"
)

// utmTolerance is the maximum difference of a channel. Clients choose the nearest pixel, and the
// turns of the waves are rounded off.
const utmTolerance = 5

// utmAt returns the expected color of the layer "utm" at a longitude and latitude. Colors near the
// edge of the layer are unknown.
func utmAt(longitude, latitude float64) (c color.NRGBA, known bool) {
	easting, northing := zone33(longitude, latitude)
	x, y := (easting-utmWest)/utmResolution, (utmNorth-northing)/utmResolution
	const margin = 6 // pixels near the edge that clients may interpolate
	width, height := float64(utm.width), float64(utm.height)
	switch {
	case x < -margin || y < -margin || x > width+margin || y > height+margin:
		return behind, true
	case x < margin || y < margin || x > width-margin || y > height-margin:
		return behind, false
	}
	return color.NRGBA{uint8(wave(x - 0.5)), uint8(wave(y - 0.5)), 60, 255}, true
}

// zone33 projects a position to UTM zone 33 north with Krüger's series. It does not use the
// server's code, which it helps to check.
func zone33(longitude, latitude float64) (easting, northing float64) {
	const (
		radius, flattening  = 6378137, 1 / 298.257223563
		n                   = flattening / (2 - flattening)
		meridian            = radius / (1 + n) * (1 + n*n/4 + n*n*n*n/64)
		scale, falseEasting = 0.9996, 500000
		degree              = math.Pi / 180
	)
	series := [...]float64{n/2 - 2*n*n/3 + 5*n*n*n/16, 13*n*n/48 - 3*n*n*n/5, 61 * n * n * n / 240}
	eccentricity := 2 * math.Sqrt(n) / (1 + n)
	sinLatitude, sinLongitude := math.Sin(latitude*degree), math.Sin((longitude-15)*degree)
	conformal := math.Sinh(math.Atanh(sinLatitude) - eccentricity*math.Atanh(eccentricity*sinLatitude))
	xi := math.Atan2(conformal, math.Cos((longitude-15)*degree))
	eta := math.Atanh(sinLongitude / math.Hypot(1, conformal))
	x, y := eta, xi
	for i, a := range series {
		order := 2 * float64(i+1)
		x += a * math.Cos(order*xi) * math.Sinh(order*eta)
		y += a * math.Sin(order*xi) * math.Cosh(order*eta)
	}
	return falseEasting + scale*meridian*x, scale * meridian * y
}

// The expected values come from PROJ.
func TestZone33(t *testing.T) {
	for _, test := range []struct{ longitude, latitude, easting, northing float64 }{
		{15, 54, 500000.0000, 5983521.6620},
		{14.93, 54.13, 495425.8403, 5997987.9461},
		{15.05, 54.17, 503264.1090, 6002437.3675},
		{12.5, 47.25, 310829.0698, 5235977.8417},
		{18, -3, 833523.0670, -332050.4747},
	} {
		easting, northing := zone33(test.longitude, test.latitude)
		if math.Hypot(easting-test.easting, northing-test.northing) > 0.001 {
			t.Errorf("%v %v projects to %.4f %.4f, want %.4f %.4f", test.longitude, test.latitude, easting, northing, test.easting, test.northing)
		}
	}
}
