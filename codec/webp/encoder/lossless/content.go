package lossless

import "tileserver/codec/webp/vp8l"

// transforms selects the transforms that are applied before coding.
type transforms struct {
	subtractGreen bool
	predict       bool
}

// sampledRows is the number of rows that suffice to distinguish a photograph from a drawing.
const sampledRows = 64

// content holds sample counts of some rows of an image, with and without each transform.
type content struct {
	// edges counts the pixels that differ from both neighbors
	pixels, edges           int
	plain                   [4][vp8l.Literals]uint32 // blue, green, red, alpha
	redNoGreen, blueNoGreen [vp8l.Literals]uint32
	change                  [4][vp8l.Literals]uint32 // differences from the left neighbor
	changeRedNoGreen        [vp8l.Literals]uint32
	changeBlueNoGreen       [vp8l.Literals]uint32
}

// chooseTransforms samples some rows, and returns the transforms that leave the fewest bits. An
// indexed image uses only the green channel.
func (c *content) chooseTransforms(pixels []pixel, width int, isIndexed bool) transforms {
	*c = content{}
	height := len(pixels) / width
	// Odd, to avoid sampling the same row of every block of an enlarged image.
	step := height/sampledRows | 1
	for y := max(step/2, 1); y < height; y += step {
		c.add(pixels[y*width:][:width], pixels[(y-1)*width:][:width])
	}
	return c.cheapest(isIndexed)
}

// add counts the pixels of a row, without those that equal a neighbor. Those become copies in any
// case.
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

// cheapest compares the estimated sizes.
func (c *content) cheapest(isIndexed bool) transforms {
	plain, change := bitsOf(&c.plain[1]), bitsOf(&c.change[1])
	if isIndexed {
		return transforms{predict: c.costOfPrediction(change) < plain}
	}
	plain += bitsOf(&c.plain[3])
	change += bitsOf(&c.change[3])
	minBits := plain + bitsOf(&c.plain[0]) + bitsOf(&c.plain[2])
	var best transforms
	for _, other := range [...]struct {
		bits int
		transforms
	}{
		{plain + bitsOf(&c.blueNoGreen) + bitsOf(&c.redNoGreen), transforms{subtractGreen: true}},
		{c.costOfPrediction(change + bitsOf(&c.change[0]) + bitsOf(&c.change[2])), transforms{predict: true}},
		{c.costOfPrediction(change + bitsOf(&c.changeBlueNoGreen) + bitsOf(&c.changeRedNoGreen)), transforms{true, true}},
	} {
		if other.bits < minBits {
			minBits, best = other.bits, other.transforms
		}
	}
	return best
}

// costOfPrediction penalizes prediction in a drawing, because unpredicted shapes can be copied as a
// whole.
func (c *content) costOfPrediction(changeBits int) int {
	if isDrawing := c.edges*8 <= c.pixels; isDrawing {
		return changeBits * 4 / 3
	}
	return changeBits
}

func bitsOf(counts *[vp8l.Literals]uint32) int {
	entropyBits, symbols := entropy(counts[:])
	return entropyBits + symbols*bitsPerSymbol
}
