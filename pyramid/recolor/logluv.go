package recolor

import (
	"math"

	"tileserver/raster"
)

// logLuv gives the logarithms of red, green and blue, in the units in which the
// logarithm of luminance is stored: 256 of them are twice the light. Nobody knows
// how bright such an image is before having seen all of it, and a logarithm has
// room for a window and what is beside it. What is gray is the stored logarithm.
func logLuv(info *raster.Info) (conversion, error) {
	c := conversion{key: ":rgb:logluv", made: raster.Int16}
	switch {
	case info.Type == raster.Uint32 && len(info.Bands) == 1:
		c.components, c.colors = 1, threeColors([]int{0}, []int{0}, []int{0})
		c.convert = newChromaticities().ofWords
	case info.Type == raster.Uint16 && len(info.Bands) == 3:
		c.components, c.colors = 3, threeColors([]int{0, 1, 2}, []int{0, 1, 2}, []int{0, 1, 2})
		c.convert = ofTriples[uint16](newChromaticities())
	case info.Type == raster.Int16 && len(info.Bands) == 3:
		c.components, c.colors = 3, threeColors([]int{0, 1, 2}, []int{0, 1, 2}, []int{0, 1, 2})
		c.convert = ofTriples[int16](newChromaticities())
	default:
		return conversion{}, unsupported("%v of %d %v samples", raster.LogLuv, len(info.Bands), info.Type)
	}
	return c, nil
}

// chromaticities are how far the logarithms of red, green and blue are from that
// of luminance, for each pair of u and v.
type chromaticities [3][1 << 16]int16

// unitsOfTwice are the units of a logarithm that double the light.
const unitsOfTwice = 256

func newChromaticities() *chromaticities {
	// Colors that a screen cannot show, and the darkest beside bright ones.
	const least = 1.0 / 256
	m := toScreen(whiteEqual)
	t := new(chromaticities)
	for pair := range t[0] {
		linear := m.of(perLuminance(pair>>8, pair&0xff))
		for color, light := range linear {
			t[color][pair] = int16(math.Round(unitsOfTwice * math.Log2(min(max(light, least), 1/least))))
		}
	}
	return t
}

// chromaParts are the parts of 1 that u' and v' are stored in.
const chromaParts = 410

// perLuminance is X, Y and Z where Y is 1, of u' and v' as stored.
func perLuminance(u, v int) vector {
	uPrime, vPrime := (float64(u)+0.5)/chromaParts, (float64(v)+0.5)/chromaParts
	return vector{9 * uPrime / (4 * vPrime), 1, (12 - 3*uPrime - 20*vPrime) / (4 * vPrime)}
}

// ofWords makes colors of words that hold the logarithm, u' and v'.
func (t *chromaticities) ofWords(b block) {
	words := component[uint32](b, 0)
	for color := range t {
		if !b.wants(color) {
			continue
		}
		to, chroma := colorOf[int16](b, color), &t[color]
		for i, word := range words {
			to[i] = brightened(int16(word>>16), chroma[word&0xffff])
		}
	}
}

// ofTriples makes colors of samples that are the logarithm, and u' and v' in parts
// of 1 << 15, which are finer than those that are stored.
func ofTriples[T int16 | uint16](t *chromaticities) func(block) {
	stored := func(sample T) int { return min(int(uint16(sample))*chromaParts>>15, 255) }
	return func(b block) {
		luminance, u, v := component[T](b, 0), component[T](b, 1), component[T](b, 2)
		for color := range t {
			if !b.wants(color) {
				continue
			}
			to, chroma := colorOf[int16](b, color), &t[color]
			for i, y := range luminance {
				to[i] = brightened(int16(y), chroma[stored(u[i])<<8|stored(v[i])])
			}
		}
	}
}

// brightened returns the logarithm of a color. Negative luminance, which files may hold,
// is as dark as none.
func brightened(luminance, by int16) int16 {
	if luminance <= 0 {
		return 0
	}
	return int16(min(max(int32(luminance)+int32(by), 0), math.MaxInt16))
}
