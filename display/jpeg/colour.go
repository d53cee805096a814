package jpeg

// A block is 8 x 8 samples from 0 to 255, two in a word: word 4*y+x has the sample of column x in its lower half and
// that of column x+4 in its upper half. The transform works on both at once.
type block [32]int64

// A ycc is luma and both chromas of a pixel, or the sums of some pixels, in lanes of 21 bits: the values times 2048,
// with what rounding needs already added. Up to four fit.
type ycc uint64

const (
	cbLane = 21
	crLane = 42

	// The fractions of red, green and blue in each lane. Negative ones borrow from the lane above, and the bias of
	// that lane pays it back, so that the sum is right in every lane.
	yccRed   = 612 + -346<<cbLane + 1024<<crLane
	yccGreen = 1202 + -678<<cbLane + -857<<crLane
	yccBlue  = 234 + 1024<<cbLane + -167<<crLane
	yccBias  = 1024 + chromaBias<<cbLane + chromaBias<<crLane

	// chromaBias puts the middle at 128 and rounds; one less than half, or pure blue would round to 256.
	chromaBias = 128<<11 + 1023
)

func toYCC(red, green, blue byte) ycc {
	return ycc(int64(red)*yccRed + int64(green)*yccGreen + int64(blue)*yccBlue + yccBias)
}

func (v ycc) luma() int64 { return int64(v >> 11 & 0xff) }
func (v ycc) cb() int64   { return int64(v >> (cbLane + 11) & 0xff) }
func (v ycc) cr() int64   { return int64(v >> (crLane + 11) & 0xff) }

// The means are of four pixels summed.
func (v ycc) cbMean() int64 { return int64(v >> (cbLane + 13) & 0xff) }
func (v ycc) crMean() int64 { return int64(v >> (crLane + 13) & 0xff) }

// convert8 converts 8 pixels.
func convert8(out *[8]ycc, pix *[24]byte) {
	out[0] = toYCC(pix[0], pix[1], pix[2])
	out[1] = toYCC(pix[3], pix[4], pix[5])
	out[2] = toYCC(pix[6], pix[7], pix[8])
	out[3] = toYCC(pix[9], pix[10], pix[11])
	out[4] = toYCC(pix[12], pix[13], pix[14])
	out[5] = toYCC(pix[15], pix[16], pix[17])
	out[6] = toYCC(pix[18], pix[19], pix[20])
	out[7] = toYCC(pix[21], pix[22], pix[23])
}

// loadGray fills a block from 8 rows of 8 samples.
func loadGray(samples *block, pix []byte, stride int) {
	for y := range 8 {
		row := (*[8]byte)(pix[y*stride:])
		words := (*[4]int64)(samples[4*y:])
		for x := range words {
			words[x] = int64(row[x]) | int64(row[x+4])<<32
		}
	}
}

// loadRGB fills three blocks from 8 rows of 8 pixels.
func loadRGB(luma, cb, cr *block, pix []byte, stride int) {
	var row [8]ycc
	for y := range 8 {
		convert8(&row, (*[24]byte)(pix[y*stride:]))
		lumaWords, cbWords, crWords := (*[4]int64)(luma[4*y:]), (*[4]int64)(cb[4*y:]), (*[4]int64)(cr[4*y:])
		for x := range 4 {
			lumaWords[x] = row[x].luma() | row[x+4].luma()<<32
			cbWords[x] = row[x].cb() | row[x+4].cb()<<32
			crWords[x] = row[x].cr() | row[x+4].cr()<<32
		}
	}
}

// loadRGBHalved fills four blocks of luma, from 16 rows of 16 pixels, and one of each chroma.
func loadRGBHalved(luma *[4]block, cb, cr *block, pix []byte, stride int) {
	var above, below [16]ycc
	for y := range 8 {
		convert16(&above, (*[48]byte)(pix[2*y*stride:]))
		convert16(&below, (*[48]byte)(pix[(2*y+1)*stride:]))
		left, right := &luma[y>>2<<1], &luma[y>>2<<1|1]
		leftWords, rightWords := (*[8]int64)(left[y&3<<3:]), (*[8]int64)(right[y&3<<3:])
		cbWords, crWords := (*[4]int64)(cb[4*y:]), (*[4]int64)(cr[4*y:])
		for x := range 4 {
			leftWords[x] = above[x].luma() | above[x+4].luma()<<32
			leftWords[x+4] = below[x].luma() | below[x+4].luma()<<32
			rightWords[x] = above[x+8].luma() | above[x+12].luma()<<32
			rightWords[x+4] = below[x+8].luma() | below[x+12].luma()<<32
			leftSum := above[2*x] + above[2*x+1] + below[2*x] + below[2*x+1]
			rightSum := above[2*x+8] + above[2*x+9] + below[2*x+8] + below[2*x+9]
			cbWords[x] = leftSum.cbMean() | rightSum.cbMean()<<32
			crWords[x] = leftSum.crMean() | rightSum.crMean()<<32
		}
	}
}

func convert16(out *[16]ycc, pix *[48]byte) {
	convert8((*[8]ycc)(out[:8]), (*[24]byte)(pix[:24]))
	convert8((*[8]ycc)(out[8:]), (*[24]byte)(pix[24:]))
}
