package lossless

// mixture holds the shares of green that are subtracted from red and from blue, and the share of
// red subtracted from blue, in 32nds. It is an element of VP8L's cross-color transform. In shaded
// relief, samples rise and fall together, in a proportion that depends on the region.
type mixture struct{ greenToRed, greenToBlue, redToBlue int64 }

const (
	mixtureBits = 5
	mixtureUnit = 1 << mixtureBits
	minMixture  = -128
	maxMixture  = 127
)

// covariance sums products of samples, which are taken as signed bytes.
type covariance struct{ greens, reds, blues, greenRed, greenBlue, redBlue int64 }

// add adds every second pixel of a row.
func (c *covariance) add(row []pixel) {
	for i := 0; i < len(row); i += 2 {
		p := row[i]
		green, red, blue := int64(int8(p>>8)), int64(int8(p>>16)), int64(int8(p))
		c.greens += green * green
		c.reds += red * red
		c.blues += blue * blue
		c.greenRed += green * red
		c.greenBlue += green * blue
		c.redBlue += red * blue
	}
}

// mixture returns the mixture with the least squares of red and blue.
func (c *covariance) mixture() (m mixture) {
	if c.greens == 0 {
		return m
	}
	m.greenToRed = share(c.greenRed, c.greens)
	if determinant := c.greens*c.reds - c.greenRed*c.greenRed; determinant > 0 {
		m.greenToBlue = share(c.greenBlue*c.reds-c.redBlue*c.greenRed, determinant)
		m.redToBlue = share(c.redBlue*c.greens-c.greenBlue*c.greenRed, determinant)
		return m
	}
	m.greenToBlue = share(c.greenBlue, c.greens)
	return m
}

func share(part, whole int64) int64 {
	return min(max(part*mixtureUnit/whole, minMixture), maxMixture)
}

// gain returns the logarithm of the factor by which a mixture reduces the squares of red and blue.
func (c *covariance) gain(m mixture) int64 {
	const unit = mixtureUnit
	red := unit*unit*c.reds - 2*unit*m.greenToRed*c.greenRed + m.greenToRed*m.greenToRed*c.greens
	blue := unit*unit*c.blues - 2*unit*(m.greenToBlue*c.greenBlue+m.redToBlue*c.redBlue) +
		m.greenToBlue*m.greenToBlue*c.greens + m.redToBlue*m.redToBlue*c.reds + 2*m.greenToBlue*m.redToBlue*c.greenRed
	previous, after := uint32(c.reds+c.blues), uint32(max(red+blue, 0)/(unit*unit))
	return int64(logarithm(previous+1)) - int64(logarithm(after+1))
}

// apply subtracts the shares, rounded down as in a decoder.
func (m mixture) apply(row []pixel) {
	greenToRed, greenToBlue, redToBlue := int32(m.greenToRed), int32(m.greenToBlue), int32(m.redToBlue)
	for i, p := range row {
		green, red := int32(int8(p>>8)), int32(int8(p>>16))
		mixedRed := red - greenToRed*green>>mixtureBits
		mixedBlue := int32(p) - greenToBlue*green>>mixtureBits - redToBlue*red>>mixtureBits
		row[i] = p&alphaGreen | pixel(mixedRed)&0xff<<16 | pixel(mixedBlue)&0xff
	}
}

// pixel returns the mixture as the stream represents it.
func (m mixture) pixel() pixel {
	return opaque | pixel(m.redToBlue)&0xff<<16 | pixel(m.greenToBlue)&0xff<<8 | pixel(m.greenToRed)&0xff
}

// minGain is the logarithm of the minimum factor for which mixtures are used. A small gain does not
// pay off, because mixtures turn repeated differences into distinct ones.
const minGain = 3 * oneBit / 2

// chooseMixtures finds a mixture for each block of 1 << blockBits pixels a side, and reports
// whether they pay off. It samples an eighth of the pixels.
func chooseMixtures(mixtures []mixture, pixels []pixel, width, blockBits int) bool {
	var gain int64
	for i := range mixtures {
		area := blockAt(i, width, len(pixels)/width, blockBits)
		var c covariance
		for y := area.top; y < area.bottom; y += 4 {
			c.add(pixels[y*width:][area.left:area.right])
		}
		mixtures[i] = c.mixture()
		gain += c.gain(mixtures[i])
	}
	return gain >= minGain*int64(len(mixtures))
}

// mix applies the mixtures of all blocks.
func mix(pixels []pixel, width int, mixtures []mixture, blockBits int) {
	blocksWide := blocksAcross(width, blockBits)
	for y := range len(pixels) / width {
		row := pixels[y*width:][:width]
		for block, m := range mixtures[y>>blockBits*blocksWide:][:blocksWide] {
			m.apply(row[block<<blockBits : min((block+1)<<blockBits, width)])
		}
	}
}
