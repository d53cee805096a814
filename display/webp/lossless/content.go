package lossless

// treatment is what is done to the pixels of an image before they are written.
type treatment struct {
	subtractGreen bool
	predict       bool
}

// sampledRows are enough to tell a photograph from a drawing.
const sampledRows = 64

// content counts samples of some rows of an image, as they are and treated.
type content struct {
	pixels, edges           int                 // of these, those that differ from both neighbours
	plain                   [4][literals]uint32 // blue, green, red, opacity
	redNoGreen, blueNoGreen [literals]uint32
	change                  [4][literals]uint32 // from pixel to pixel
	changeRedNoGreen        [literals]uint32
	changeBlueNoGreen       [literals]uint32
}

// treat looks at some rows to tell which treatment leaves the least to write. Numbers of colours have no other sample
// than green.
func (c *content) treat(pixels []pixel, width int, numbers bool) treatment {
	*c = content{}
	height := len(pixels) / width
	step := height/sampledRows | 1 // odd, not to meet the same row of every block of an enlarged image
	for y := max(step/2, 1); y < height; y += step {
		c.add(pixels[y*width:][:width], pixels[(y-1)*width:][:width])
	}
	return c.cheapest(numbers)
}

// add counts the pixels of a row but for those that repeat a neighbour, for these will be copies either way.
func (c *content) add(row, above []pixel) {
	left := row[0]
	c.pixels += len(row)
	for x, p := range row {
		if p == left || p == above[x] {
			left = p
			continue
		}
		c.edges++
		change := subtract(p, left)
		left = p
		without, changeWithout := withoutGreen(p), withoutGreen(change)
		c.plain[0][p&0xff]++
		c.plain[1][p>>8&0xff]++
		c.plain[2][p>>16&0xff]++
		c.plain[3][p>>24]++
		c.blueNoGreen[without&0xff]++
		c.redNoGreen[without>>16&0xff]++
		c.change[0][change&0xff]++
		c.change[1][change>>8&0xff]++
		c.change[2][change>>16&0xff]++
		c.change[3][change>>24]++
		c.changeBlueNoGreen[changeWithout&0xff]++
		c.changeRedNoGreen[changeWithout>>16&0xff]++
	}
}

// cheapest compares what the treatments leave.
func (c *content) cheapest(numbers bool) treatment {
	plain, change := bitsOf(&c.plain[1]), bitsOf(&c.change[1])
	if numbers {
		return treatment{predict: c.costOfPrediction(change) < plain}
	}
	plain += bitsOf(&c.plain[3])
	change += bitsOf(&c.change[3])
	fewest := plain + bitsOf(&c.plain[0]) + bitsOf(&c.plain[2])
	var best treatment
	for _, other := range [...]struct {
		bits int
		treatment
	}{
		{plain + bitsOf(&c.blueNoGreen) + bitsOf(&c.redNoGreen), treatment{subtractGreen: true}},
		{c.costOfPrediction(change + bitsOf(&c.change[0]) + bitsOf(&c.change[2])), treatment{predict: true}},
		{c.costOfPrediction(change + bitsOf(&c.changeBlueNoGreen) + bitsOf(&c.changeRedNoGreen)), treatment{true, true}},
	} {
		if other.bits < fewest {
			fewest, best = other.bits, other.treatment
		}
	}
	return best
}

// costOfPrediction is more than the bits of the changes in a drawing, of which whole shapes can be copied as long as they
// are not predicted.
func (c *content) costOfPrediction(changeBits int) int {
	if isDrawing := c.edges*8 <= c.pixels; isDrawing {
		return changeBits * 4 / 3
	}
	return changeBits
}

func bitsOf(counts *[literals]uint32) int {
	entropyBits, symbols := entropy(counts[:])
	return entropyBits + symbols*bitsPerSymbol
}
