package lossless

// mode is the number of a predictor in the stream. A predictor uses the pixels to the left, above,
// above left and above right.
type mode uint8

const (
	modeLeft      mode = 1
	modeAbove     mode = 2
	modeLeftAbove mode = 7 // average
	modeAllAround mode = 10
	modeSelect    mode = 11
	modeGradient  mode = 12
)

// predict writes the differences of pixels from their predictions. modes holds one mode per block
// of 1 << blockBits pixels a side.
func predict(to, pixels []pixel, width int, modes []mode, blockBits int) {
	to[0] = subtract(pixels[0], opaque)
	differencesOf(modeLeft, to, pixels, 1, width, width)
	blocksWide := blocksAcross(width, blockBits)
	for start := width; start < len(pixels); start += width {
		modesOfRow := modes[start/width>>blockBits*blocksWide:][:blocksWide]
		to[start] = subtract(pixels[start], pixels[start-width])
		first := 1
		for block, m := range modesOfRow {
			end := min((block+1)<<blockBits, width)
			differencesOf(m, to, pixels, start+first, start+end, width)
			first = end
		}
	}
}

func differencesInGo(m mode, to, pixels []pixel, start, end, width int) {
	if start >= end {
		return
	}
	to, row, left := to[start:end], pixels[start:end], pixels[start-1:end-1]
	if m == modeLeft {
		for i, p := range row {
			to[i] = subtract(p, left[i])
		}
		return
	}
	above, aboveLeft, aboveRight := pixels[start-width:], pixels[start-width-1:], pixels[start-width+1:]
	above, aboveLeft, aboveRight = above[:len(row)], aboveLeft[:len(row)], aboveRight[:len(row)]
	to, left = to[:len(row)], left[:len(row)]
	switch m {
	case modeAbove:
		for i, p := range row {
			to[i] = subtract(p, above[i])
		}
	case modeLeftAbove:
		for i, p := range row {
			to[i] = subtract(p, average(left[i], above[i]))
		}
	case modeAllAround:
		for i, p := range row {
			to[i] = subtract(p, average(average(left[i], aboveLeft[i]), average(above[i], aboveRight[i])))
		}
	case modeSelect:
		for i, p := range row {
			to[i] = subtract(p, selectNearest(left[i], above[i], aboveLeft[i]))
		}
	case modeGradient:
		for i, p := range row {
			to[i] = subtract(p, gradient(left[i], above[i], aboveLeft[i]))
		}
	}
}

// selectNearest returns left or above, whichever is nearer to left + above - aboveLeft.
func selectNearest(left, above, aboveLeft pixel) pixel {
	if distance(above, aboveLeft) < distance(left, aboveLeft) {
		return left
	}
	return above
}

// unpack puts the samples of a pixel into 16-bit lanes.
func unpack(p pixel) uint64 { return uint64(p>>8&redBlue)<<32 | uint64(p&redBlue) }

const (
	laneOne  = 0x0001000100010001
	laneByte = 0x00ff00ff00ff00ff
	laneOver = 0x0100010001000100
)

// distance returns the sum of the absolute differences of the samples.
func distance(p, q pixel) uint64 {
	d := unpack(p) + laneOver - unpack(q)
	negative := ^d >> 8 & laneOne
	return ((d^negative*0xff)&laneByte + negative) * laneOne >> 48
}

// gradient returns left + above - aboveLeft, with each sample clamped.
func gradient(left, above, aboveLeft pixel) pixel {
	sum := unpack(left) + unpack(above) + laneOver - unpack(aboveLeft)
	over := sum >> 9 & laneOne
	within := (sum>>8 | sum>>9) & laneOne
	sum = (sum | over*0xff) & (within * 0xff)
	return pixel(sum>>32)<<8 | pixel(sum)
}
