package jpeg

// kernels are what is done to the samples of a picture, for one type of them.
type kernels[T Sample] struct {
	// transform makes samples of a row of blocks, and leaves the blocks zero.
	transform func(out []T, stride int, blocks []block, lasts []uint8, q *quantizer)
	// sum adds a row, three times, and one beside it.
	sum func(sums []uint16, near, far []T)
	// widen makes two samples of each of at least two sums of four; left and right are added where they are rounded.
	widen func(out []T, sums []uint16, left, right uint16)
	// rgb turns YCbCr to colours.
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

// widenEnds makes the first and the last of the samples, which have nothing on the other side of them.
func widenEnds[T Sample](out []T, sums []uint16) {
	n := len(sums)
	out[0] = T((4*sums[0] + 8) >> 4)
	out[2*n-1] = T((4*sums[n-1] + 7) >> 4)
}

// widenBetweenGo makes the two samples between each two sums.
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

// roundSums makes samples of sums of four.
func roundSums[T Sample](out []T, sums []uint16, bias uint16) {
	out = out[:len(sums)]
	for x, sum := range sums {
		out[x] = T((sum + bias) >> 2)
	}
}

// repeatSamples makes a row of samples as wide as out, of which each stands for times/per.
func repeatSamples[T Sample](out, row []T, times, per int) {
	if per == 1 && times == 1 {
		copy(out, row)
		return
	}
	for x := range out {
		out[x] = row[x*per/times]
	}
}

// rgbRow8Go has the weights of JFIF in 16 binary places, rounded.
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

// wholePart8 is that of a number with 16 binary places, within a byte.
func wholePart8(v int32) uint8 {
	if uint32(v) < 1<<24 {
		return uint8(v >> 16)
	}
	return uint8(^(v >> 31)) // 0 below, 255 above
}

// rgbRow16 is rgbRow8Go for samples around any center.
func rgbRow16(r, g, b, luma, cb, cr []uint16, center uint16) {
	n := len(r)
	g, b, luma, cb, cr = g[:n], b[:n], luma[:n], cb[:n], cr[:n]
	most := 2*int64(center) - 1
	for x := range r {
		y := int64(luma[x])<<16 + 1<<15
		u, v := int64(cb[x])-int64(center), int64(cr[x])-int64(center)
		r[x] = uint16(min(max((y+91881*v)>>16, 0), most))
		g[x] = uint16(min(max((y-22554*u-46802*v)>>16, 0), most))
		b[x] = uint16(min(max((y+116130*u)>>16, 0), most))
	}
}
