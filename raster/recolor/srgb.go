package recolor

import "math"

// vector is X, Y and Z, or linear red, green and blue.
type vector [3]float64

// matrix maps vectors; it is stored row by row.
type matrix [3]vector

func (m matrix) times(o matrix) (product matrix) {
	for row := range m {
		for column := range o[0] {
			for i := range o {
				product[row][column] += m[row][i] * o[i][column]
			}
		}
	}
	return product
}

func (m matrix) of(v vector) (made vector) {
	for row := range m {
		made[row] = m[row][0]*v[0] + m[row][1]*v[1] + m[row][2]*v[2]
	}
	return made
}

func diagonal(v vector) matrix { return matrix{{v[0], 0, 0}, {0, v[1], 0}, {0, 0, v[2]}} }

// The default whites of files, and the white of screens.
var (
	whiteD50   = vector{0.96422, 1, 0.82521} // of print and color profiles
	whiteD65   = vector{0.95047, 1, 1.08883} // of sRGB
	whiteEqual = vector{1, 1, 1}             // equal energy, of LogLuv
)

// toScreen maps X, Y and Z (1931 standard observer, 2 degrees) to the linear red, green and blue of
// sRGB. It maps the given white to the white of the screen by Bradford chromatic adaptation.
func toScreen(white vector) matrix {
	cones := matrix{{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}
	fromCones := matrix{{0.9869929, -0.1470543, 0.1599627}, {0.4323053, 0.5183603, 0.0492912}, {-0.0085287, 0.0400428, 0.9684867}}
	primaries := matrix{{3.2404542, -1.5371385, -0.4985314}, {-0.9692660, 1.8760108, 0.0415560}, {0.0556434, -0.2040259, 1.0572252}}
	from, to := cones.of(white), cones.of(whiteD65)
	adapted := fromCones.times(diagonal(vector{to[0] / from[0], to[1] / from[1], to[2] / from[2]})).times(cones)
	return primaries.times(adapted)
}

// companding tabulates the levels of linear light, from 0 to full in equal steps. The steps are
// small enough that no level is skipped.
type companding [brightest + 1]uint8

// brightest is the step of full light.
const brightest = 1 << 14

func newCompanding() *companding {
	var c companding
	for i := range c {
		light := float64(i) / brightest
		v := 12.92 * light
		if light > 0.0031308 {
			v = 1.055*math.Pow(light, 1/2.4) - 0.055
		}
		c[i] = uint8(math.Round(math.MaxUint8 * v))
	}
	return &c
}

// of returns the level of a light, clamped to what a screen can show.
func (c *companding) of(light float32) uint8 {
	at := int32(float32(light*brightest) + 0.5)
	return c[min(max(at, 0), brightest)]
}
