package decoder

// kernels holds the functions that process rows of samples of one type.
type kernels[T Sample] struct {
	// transform converts a row of blocks to samples and zeroes the blocks.
	transform func(out []T, stride int, blocks []block, lastIndexes []uint8, q *quantizer)
	// sum computes 3*near + far for each sample.
	sum func(sums []uint16, near, far []T)
	// widen computes two samples from each sum, for at least two sums. left and right are the
	// rounding terms of the two samples.
	widen func(out []T, sums []uint16, left, right uint16)
	// rgb converts YCbCr to red, green and blue.
	rgb func(r, g, b, luma, cb, cr []T)
}

func sumRowsGo[T Sample](sums []uint16, near, far []T) {
	near, far = near[:len(sums)], far[:len(sums)]
	for x := range sums {
		sums[x] = 3*uint16(near[x]) + uint16(far[x])
	}
}

func widenSumsGo[T Sample](out []T, sums []uint16, left, right uint16) {
	n := len(sums)
	widenEnds(out, sums)
	widenBetweenGo(out[1:2*n-1], sums, left, right)
}

// widenEnds computes the first and the last sample, which have a neighbor on one side only.
func widenEnds[T Sample](out []T, sums []uint16) {
	n := len(sums)
	out[0] = T((4*sums[0] + 8) >> 4)
	out[2*n-1] = T((4*sums[n-1] + 7) >> 4)
}

// widenBetweenGo computes the two samples between each pair of adjacent sums.
func widenBetweenGo[T Sample](out []T, sums []uint16, left, right uint16) {
	a := sums[0]
	for _, b := range sums[1:] {
		if len(out) < 2 {
			return
		}
		out[0] = T((3*a + b + left) >> 4)
		out[1] = T((3*b + a + right) >> 4)
		a, out = b, out[2:]
	}
}

// roundSums divides sums by four and adds bias for rounding.
func roundSums[T Sample](out []T, sums []uint16, bias uint16) {
	out = out[:len(sums)]
	for x, sum := range sums {
		out[x] = T((sum + bias) >> 2)
	}
}

// repeatSamples fills out by repeating the samples of row times/per times.
func repeatSamples[T Sample](out, row []T, times, per int) {
	if per == 1 && times == 1 {
		copy(out, row)
		return
	}
	for x := range out {
		out[x] = row[x*per/times]
	}
}

// rgbRow8Go converts YCbCr with the weights of JFIF, rounded to 16 binary places.
func rgbRow8Go(r, g, b, luma, cb, cr []uint8) {
	n := len(r)
	g, b, luma, cb, cr = g[:n], b[:n], luma[:n], cb[:n], cr[:n]
	for x := range r {
		y := int32(luma[x])<<16 + 1<<15
		u, v := int32(cb[x])-centerOf8, int32(cr[x])-centerOf8
		r[x] = wholePart8(y + 91881*v)
		g[x] = wholePart8(y - 22554*u - 46802*v)
		b[x] = wholePart8(y + 116130*u)
	}
}

// wholePart8 returns the integer part of a number with 16 binary places, clamped to a byte.
func wholePart8(v int32) uint8 {
	if uint32(v) < 1<<24 {
		return uint8(v >> 16)
	}
	return uint8(^(v >> 31)) // 0 if negative, otherwise 255
}

// rgbRow16 converts YCbCr like rgbRow8Go, for samples with the given chroma center.
func rgbRow16(r, g, b, luma, cb, cr []uint16, center uint16) {
	n := len(r)
	g, b, luma, cb, cr = g[:n], b[:n], luma[:n], cb[:n], cr[:n]
	maxSample := 2*int64(center) - 1
	for x := range r {
		y := int64(luma[x])<<16 + 1<<15
		u, v := int64(cb[x])-int64(center), int64(cr[x])-int64(center)
		r[x] = uint16(min(max((y+91881*v)>>16, 0), maxSample))
		g[x] = uint16(min(max((y-22554*u-46802*v)>>16, 0), maxSample))
		b[x] = uint16(min(max((y+116130*u)>>16, 0), maxSample))
	}
}
