package encoder

// ycc holds luma and both chromas of a pixel, or their sums over up to four pixels, in lanes of 21
// bits. The values are multiplied by 2048 and include the rounding bias.
type ycc uint64

const (
	cbLane = 21
	crLane = 42

	// Weights of red, green and blue, times 2048.
	lumaRed, lumaGreen, lumaBlue = 612, 1202, 234
	cbRed, cbGreen, cbBlue       = -346, -678, 1024
	crRed, crGreen, crBlue       = 1024, -857, -167

	lumaBias = 1024

	// chromaBias adds 128 and rounds. It is one less than half, because pure blue would otherwise
	// round to 256.
	chromaBias = 128<<11 + 1023

	// Weights in all lanes. Negative weights borrow from the lane above. The bias of that lane
	// compensates the borrow, so every lane is exact.
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

// cbMean and crMean return the mean chroma of four summed pixels.
func (v ycc) cbMean() uint8 { return uint8(v >> (cbLane + 13)) }
func (v ycc) crMean() uint8 { return uint8(v >> (crLane + 13)) }

// convertRowGo converts a row of pixels to a row of each plane.
func convertRowGo(luma, cb, cr []uint8, pix []byte) {
	cb, cr = cb[:len(luma)], cr[:len(luma)]
	for x := range luma {
		pixel := (*[3]byte)(pix[3*x:])
		v := toYCC(pixel[0], pixel[1], pixel[2])
		luma[x], cb[x], cr[x] = v.luma(), v.cb(), v.cr()
	}
}

// convertRowsGo converts two rows of pixels to two rows of luma and one row of each chroma plane.
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
