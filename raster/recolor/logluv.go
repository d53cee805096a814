package recolor

import (
	"math"

	"tileserver/raster"
)

// logLuv returns the logarithms of red, green and blue in the units of the stored logarithm of
// luminance: 256 units double the light. The brightness range of such an image is unknown until all
// of it was read, and a logarithm covers any range. For gray pixels the result is the stored
// logarithm.
func logLuv(info *raster.Info) (conversion, error) {
	c := conversion{key: ":rgb:logluv", resultType: raster.Int16}
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

// chromaticities holds the difference between the logarithms of red, green and blue and that of
// luminance, for each pair of u and v.
type chromaticities [3][1 << 16]int16

// unitsOfTwice is the logarithm of 2 in stored units.
const unitsOfTwice = 256

func newChromaticities() *chromaticities {
	// Limits for colors that a screen cannot show, and for the darkest component of bright colors.
	const minLight = 1.0 / 256
	m := toScreen(whiteEqual)
	t := new(chromaticities)
	for pair := range t[0] {
		linear := m.of(perLuminance(pair>>8, pair&0xff))
		for color, light := range linear {
			t[color][pair] = int16(math.Round(unitsOfTwice * math.Log2(min(max(light, minLight), 1/minLight))))
		}
	}
	return t
}

// chromaParts is the scale of stored u' and v': stored values are multiples of 1/chromaParts.
const chromaParts = 410

// perLuminance returns X, Y and Z, with Y = 1, of stored u' and v'.
func perLuminance(u, v int) vector {
	uPrime, vPrime := (float64(u)+0.5)/chromaParts, (float64(v)+0.5)/chromaParts
	return vector{9 * uPrime / (4 * vPrime), 1, (12 - 3*uPrime - 20*vPrime) / (4 * vPrime)}
}

// ofWords converts words that hold the logarithm, u' and v'.
func (t *chromaticities) ofWords(b block) {
	words := component[uint32](b, 0)
	for color := range t {
		if !b.wants(color) {
			continue
		}
		to, chroma := colorOf[int16](b, color), &t[color]
		for i, word := range words {
			to[i] = logColor(int16(word>>16), chroma[word&0xffff])
		}
	}
}

// ofTriples converts three samples: the logarithm, and u' and v' in units of 1 / (1 << 15), finer
// than the stored ones.
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
				to[i] = logColor(int16(y), chroma[stored(u[i])<<8|stored(v[i])])
			}
		}
	}
}

// logColor returns the logarithm of a color. Negative luminance, which files may contain, counts
// as black.
func logColor(luminance, by int16) int16 {
	if luminance <= 0 {
		return 0
	}
	return int16(min(max(int32(luminance)+int32(by), 0), math.MaxInt16))
}
