package recolor

import (
	"fmt"
	"math"

	"tileserver/raster"
)

// lab converts lightness and two color differences. They are relative to the white that the file
// names, or else to D50, the usual white of Lab.
func lab(info *raster.Info) conversion {
	white := vector(info.Colors.White)
	if !(white[0] > 0 && white[1] > 0 && white[2] > 0) {
		white = whiteD50
	}
	c := conversion{
		key: fmt.Sprintf(":rgb:%v:%v", info.Colors.Space, white), components: 3, resultType: raster.Uint8,
		colors: threeColors([]int{0, 1, 2}, []int{0, 1, 2}, []int{0, 1, 2}),
	}
	coding := codingOf(info.Colors.Space, bitsOf(info))
	if ranges := info.Colors.LabRange; info.Colors.Space == raster.ITULab && ranges != [6]float64{} {
		c.key += fmt.Sprintf(":%v", ranges)
		coding = codingIn(ranges, bitsOf(info))
	}
	if info.Type == raster.Uint8 {
		c.convert = newLightness[uint8](coding, white).convert
	} else {
		c.convert = newLightness[uint16](coding, white).convert
	}
	return c
}

// coding defines how samples encode L, a and b.
type coding struct {
	darkest    float64    // the sample of L = 0
	lightest   float64    // the sample of L = 100
	step       [2]float64 // a and b per sample step
	zero       [2]float64 // the samples of a = 0 and b = 0
	signed     bool       // a and b are signed, but read as unsigned samples
	signedBits int
}

// codingOf returns the coding of a kind of Lab with the given number of bits.
func codingOf(space raster.ColorSpace, bits int) coding {
	unit := math.Ldexp(1, bits-8) // one step of eight bits
	maxSample := math.Ldexp(1, bits) - 1
	c := coding{lightest: maxSample, step: [2]float64{1 / unit, 1 / unit}, zero: [2]float64{128 * unit, 128 * unit}}
	switch space {
	case raster.CIELab:
		c.signed, c.signedBits = true, bits
	case raster.ICCLab:
		c.lightest = 255 * unit
	case raster.ITULab:
		// The ranges of T.42: a from -85 to 85, b from -75 to 125.
		c.step = [2]float64{170 / maxSample, 200 / maxSample}
		c.zero[1] = 96 * unit
	}
	return c
}

// codingIn returns the coding of samples of the given number of bits in a LabRange.
func codingIn(ranges [6]float64, bits int) coding {
	maxSample := math.Ldexp(1, bits) - 1
	return coding{
		darkest: ranges[1], lightest: ranges[1] + 100/ranges[0]*maxSample,
		step: [2]float64{ranges[2] / maxSample, ranges[4] / maxSample}, zero: [2]float64{ranges[3], ranges[5]},
	}
}

// lightness converts Lab to colors.
type lightness[T depth] struct {
	y, toX, toZ straight
	flip        T // toggles the sign bit of a and b
	toLinear    [9]float32
	levels      *companding
}

func newLightness[T depth](c coding, white vector) *lightness[T] {
	m := toScreen(white).times(diagonal(white))
	l := &lightness[T]{
		y:      lightnessOf(c),
		toX:    straight{float32(c.step[0] / 500), float32(-c.zero[0] * c.step[0] / 500)},
		toZ:    straight{float32(-c.step[1] / 200), float32(c.zero[1] * c.step[1] / 200)},
		levels: newCompanding(),
	}
	if c.signed {
		l.flip = 1 << (c.signedBits - 1)
	}
	for i := range l.toLinear {
		l.toLinear[i] = float32(m[i/3][i%3])
	}
	return l
}

// lightnessOf returns the straight from samples of L to cube roots of light.
func lightnessOf(c coding) straight {
	if c.darkest == 0 {
		return straight{float32(100 / c.lightest / 116), 16.0 / 116}
	}
	slope := 100 / (c.lightest - c.darkest) / 116
	return straight{float32(slope), float32(16.0/116 - c.darkest*slope)}
}

// convert computes all three colors, because each of them takes nearly all of the work.
func (l *lightness[T]) convert(b block) {
	lights, as, bs := component[T](b, 0), component[T](b, 1), component[T](b, 2)
	red, green, blue := colorOf[uint8](b, 0), colorOf[uint8](b, 1), colorOf[uint8](b, 2)
	as, bs, red, green, blue = as[:len(lights)], bs[:len(lights)], red[:len(lights)], green[:len(lights)], blue[:len(lights)]
	m := &l.toLinear
	for i, light := range lights {
		root := l.y.of(float32(light))
		x, y, z := linear(root+l.toX.of(float32(as[i]^l.flip))), linear(root), linear(root+l.toZ.of(float32(bs[i]^l.flip)))
		// Products are rounded separately: see straight.
		red[i] = l.levels.of(float32(m[0]*x) + float32(m[1]*y) + float32(m[2]*z))
		green[i] = l.levels.of(float32(m[3]*x) + float32(m[4]*y) + float32(m[5]*z))
		blue[i] = l.levels.of(float32(m[6]*x) + float32(m[7]*y) + float32(m[8]*z))
	}
}

// linear converts a cube root of light to light. Dark values use a linear segment.
func linear(root float32) float32 {
	const (
		dark      = 6.0 / 29
		intercept = 4.0 / 29
	)
	if root > dark {
		return root * root * root
	}
	return 3 * dark * dark * (root - intercept)
}
