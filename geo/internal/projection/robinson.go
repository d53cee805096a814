package projection

import "math"

// robinson is a compromise for maps of the whole earth, drawn by a table. It is defined on a sphere
// only.
type robinson struct {
	radius, centralMeridian     float64
	falseEasting, falseNorthing float64
}

func newRobinson(ellipsoid Ellipsoid, p Parameters) (Projection, error) {
	return &robinson{ellipsoid.SemiMajorAxis, p.LongitudeOfOrigin * degree, p.FalseEasting, p.FalseNorthing}, nil
}

// Scales of the table, by Robinson.
const (
	robinsonWidth  = 0.8487
	robinsonHeight = 1.3523
	robinsonStep   = 5 * degree
)

// cubic is a polynomial of an angle in degrees.
type cubic [4]float32

func (c *cubic) at(degrees float64) float64 {
	return float64(c[0]) + degrees*(float64(c[1])+degrees*(float64(c[2])+degrees*float64(c[3])))
}

func (c *cubic) slope(degrees float64) float64 {
	return float64(c[1]) + degrees*(2*float64(c[2])+degrees*3*float64(c[3]))
}

// robinsonRow returns the polynomials between two parallels of the table: the length of the
// parallel, and its distance from the equator. Robinson's table says nothing about latitudes
// between its rows. These are the curves of PROJ and of all software that follows it, in its
// precision.
func robinsonRow(row int) (length, distance cubic) {
	lengths := [...]cubic{
		{1, 2.2199e-17, -7.15515e-05, 3.1103e-06},
		{0.9986, -0.000482243, -2.4897e-05, -1.3309e-06},
		{0.9954, -0.00083103, -4.48605e-05, -9.86701e-07},
		{0.99, -0.00135364, -5.9661e-05, 3.6777e-06},
		{0.9822, -0.00167442, -4.49547e-06, -5.72411e-06},
		{0.973, -0.00214868, -9.03571e-05, 1.8736e-08},
		{0.96, -0.00305085, -9.00761e-05, 1.64917e-06},
		{0.9427, -0.00382792, -6.53386e-05, -2.6154e-06},
		{0.9216, -0.00467746, -0.00010457, 4.81243e-06},
		{0.8962, -0.00536223, -3.23831e-05, -5.43432e-06},
		{0.8679, -0.00609363, -0.000113898, 3.32484e-06},
		{0.835, -0.00698325, -6.40253e-05, 9.34959e-07},
		{0.7986, -0.00755338, -5.00009e-05, 9.35324e-07},
		{0.7597, -0.00798324, -3.5971e-05, -2.27626e-06},
		{0.7186, -0.00851367, -7.01149e-05, -8.6303e-06},
		{0.6732, -0.00986209, -0.000199569, 1.91974e-05},
		{0.6213, -0.010418, 8.83923e-05, 6.24051e-06},
		{0.5722, -0.00906601, 0.000182, 6.24051e-06},
		{0.5322, -0.00677797, 0.000275608, 6.24051e-06},
	}
	distances := [...]cubic{
		{-5.20417e-18, 0.0124, 1.21431e-18, -8.45284e-11},
		{0.062, 0.0124, -1.26793e-09, 4.22642e-10},
		{0.124, 0.0124, 5.07171e-09, -1.60604e-09},
		{0.186, 0.0123999, -1.90189e-08, 6.00152e-09},
		{0.248, 0.0124002, 7.10039e-08, -2.24e-08},
		{0.31, 0.0123992, -2.64997e-07, 8.35986e-08},
		{0.372, 0.0124029, 9.88983e-07, -3.11994e-07},
		{0.434, 0.0123893, -3.69093e-06, -4.35621e-07},
		{0.4958, 0.0123198, -1.02252e-05, -3.45523e-07},
		{0.5571, 0.0121916, -1.54081e-05, -5.82288e-07},
		{0.6176, 0.0119938, -2.41424e-05, -5.25327e-07},
		{0.6769, 0.011713, -3.20223e-05, -5.16405e-07},
		{0.7346, 0.0113541, -3.97684e-05, -6.09052e-07},
		{0.7903, 0.0109107, -4.89042e-05, -1.04739e-06},
		{0.8435, 0.0103431, -6.4615e-05, -1.40374e-09},
		{0.8936, 0.00969686, -6.4636e-05, -8.547e-06},
		{0.9394, 0.00840947, -0.000192841, -4.2106e-06},
		{0.9761, 0.00616527, -0.000256, -4.2106e-06},
		{1, 0.00328947, -0.000319159, -4.2106e-06},
	}
	row = max(0, min(row, len(lengths)-1))
	return lengths[row], distances[row]
}

func (r *robinson) Forward(longitude, latitude float64) (x, y float64) {
	steps := math.Abs(latitude) / robinsonStep
	if !(steps <= halfPi/robinsonStep+epsilon) {
		return nan, nan
	}
	row := int(steps + 1e-12)
	length, distance := robinsonRow(row)
	above := 5 * (steps - float64(row))
	x = length.at(above) * robinsonWidth * wrap(longitude-r.centralMeridian)
	return r.falseEasting + r.radius*x, r.falseNorthing + r.radius*math.Copysign(distance.at(above)*robinsonHeight, latitude)
}

func (r *robinson) Inverse(x, y float64) (longitude, latitude float64) {
	x, y = (x-r.falseEasting)/(r.radius*robinsonWidth), (y-r.falseNorthing)/(r.radius*robinsonHeight)
	from := math.Abs(y)
	if !(from <= 1+epsilon) {
		return nan, nan
	}
	row := int(from * 18)
	for row > 0 && robinsonParallel(row) > from {
		row--
	}
	for row < 18 && robinsonParallel(row+1) <= from {
		row++
	}
	length, distance := robinsonRow(row)
	above := 5 * (from - robinsonParallel(row)) / (robinsonParallel(row+1) - robinsonParallel(row))
	for range 20 {
		above -= (distance.at(above) - from) / distance.slope(above)
	}
	difference := x / length.at(above)
	latitude = (5*float64(row) + above) * degree
	if !(math.Abs(difference) <= math.Pi+1e-9 && latitude <= halfPi+1e-8) {
		return nan, nan
	}
	return wrap(r.centralMeridian + difference), math.Copysign(min(latitude, halfPi), y)
}

// robinsonParallel returns the distance of a parallel of the table from the equator.
func robinsonParallel(row int) float64 {
	_, distance := robinsonRow(row)
	if row > 18 {
		return distance.at(5)
	}
	return distance.at(0)
}
