package jpeg

// A ycc is luma and both chromas of a pixel, or the sums of some pixels, in lanes of 21 bits: the values times 2048,
// with what rounding needs already added. Up to four fit.
type ycc uint64

const (
	cbLane = 21
	crLane = 42

	// The fractions of red, green and blue.
	lumaRed, lumaGreen, lumaBlue = 612, 1202, 234
	cbRed, cbGreen, cbBlue       = -346, -678, 1024
	crRed, crGreen, crBlue       = 1024, -857, -167

	lumaBias = 1024

	// chromaBias puts the middle at 128 and rounds; one less than half, or pure blue would round to 256.
	chromaBias = 128<<11 + 1023

	// The fractions in all lanes. Negative ones borrow from the lane above, and the bias of that lane pays it back, so
	// that the sum is right in every lane.
	yccRed   = lumaRed + cbRed<<cbLane + crRed<<crLane
	yccGreen = lumaGreen + cbGreen<<cbLane + crGreen<<crLane
	yccBlue  = lumaBlue + cbBlue<<cbLane + crBlue<<crLane
	yccBias  = lumaBias + chromaBias<<cbLane + chromaBias<<crLane
)

func toYCC(red, green, blue byte) ycc {
	return ycc(int64(red)*yccRed + int64(green)*yccGreen + int64(blue)*yccBlue + yccBias)
}

func (v ycc) luma() uint8 { return uint8(v >> 11) }
func (v ycc) cb() uint8   { return uint8(v >> (cbLane + 11)) }
func (v ycc) cr() uint8   { return uint8(v >> (crLane + 11)) }

// The means are of four pixels summed.
func (v ycc) cbMean() uint8 { return uint8(v >> (cbLane + 13)) }
func (v ycc) crMean() uint8 { return uint8(v >> (crLane + 13)) }

// convertRowGo fills a row of each plane from a row of pixels.
func convertRowGo(luma, cb, cr []uint8, pix []byte) {
	cb, cr = cb[:len(luma)], cr[:len(luma)]
	for x := range luma {
		pixel := (*[3]byte)(pix[3*x:])
		v := toYCC(pixel[0], pixel[1], pixel[2])
		luma[x], cb[x], cr[x] = v.luma(), v.cb(), v.cr()
	}
}

// convertRowsGo fills a row of the chroma planes, and two of luma, from two rows of pixels.
func convertRowsGo(lumaAbove, lumaBelow, cb, cr []uint8, above, below []byte) {
	cr = cr[:len(cb)]
	for x := range cb {
		upper, lower := (*[6]byte)(above[6*x:]), (*[6]byte)(below[6*x:])
		v0, v1 := toYCC(upper[0], upper[1], upper[2]), toYCC(upper[3], upper[4], upper[5])
		v2, v3 := toYCC(lower[0], lower[1], lower[2]), toYCC(lower[3], lower[4], lower[5])
		lumaOut := (*[2]uint8)(lumaAbove[2*x:])
		lumaOut[0], lumaOut[1] = v0.luma(), v1.luma()
		lumaOut = (*[2]uint8)(lumaBelow[2*x:])
		lumaOut[0], lumaOut[1] = v2.luma(), v3.luma()
		sum := v0 + v1 + v2 + v3
		cb[x], cr[x] = sum.cbMean(), sum.crMean()
	}
}
