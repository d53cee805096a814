package geo

import "math"

// The ellipsoid of WGS 84.
const (
	wgs84Axis         = 6378137.0
	wgs84Flattening   = 1 / 298.257223563
	wgs84Eccentricity = wgs84Flattening * (2 - wgs84Flattening) // squared
)

// GroundDistance returns the distance on the ground, in meters, between two nearby points given in
// degrees of longitude and latitude.
func GroundDistance(a, b Point) float64 {
	latitude := (a.Y + b.Y) / 2 * (math.Pi / 180)
	sin, cos := math.Sincos(latitude)
	w := 1 - float64(wgs84Eccentricity*float64(sin*sin))
	across := wgs84Axis / math.Sqrt(w)            // radius of curvature to the east
	along := across * (1 - wgs84Eccentricity) / w // and to the north
	longitudes := math.Remainder(b.X-a.X, 360) * (math.Pi / 180)
	latitudes := (b.Y - a.Y) * (math.Pi / 180)
	east, north := longitudes*across*cos, latitudes*along
	return math.Sqrt(float64(east*east) + float64(north*north)) // Hypot differs between machines
}
