package decoder

// undoPrediction adds its prediction to each pixel.
func (t *transform) undoPrediction(pixels []uint32) {
	const black = 0xff << 24
	pixels[0] = add(pixels[0], black)
	for x := 1; x < t.width; x++ {
		pixels[x] = add(pixels[x], pixels[x-1])
	}
	for y, at := 1, t.width; at < len(pixels); y, at = y+1, at+t.width {
		pixels[at] = add(pixels[at], pixels[at-t.width])
		elements := t.elements[y>>t.bits*t.cellsWide:]
		for x := 1; x < t.width; {
			end := min((x>>t.bits+1)<<t.bits, t.width)
			undoRun(pixels, at+x, at+end, t.width, elements[x>>t.bits]>>8&15)
			x = end
		}
	}
}

// undoRun processes a run of pixels with the same predictor. For the last pixel of a row, the pixel
// above and to the right is the first pixel of its own row.
func undoRun(pixels []uint32, from, to, width int, predictor uint32) {
	if to <= from {
		return
	}
	run := pixels[from:to]
	topLeft := pixels[from-width-1:][:len(run)]
	top := pixels[from-width:][:len(run)]
	topRight := pixels[from-width+1:][:len(run)]
	if !undoFromAbove(run, predictor, topLeft, top, topRight) {
		undoFromLeft(run, predictor, pixels[from-1], topLeft, top, topRight)
	}
}

// undoFromAbove applies the predictors that do not depend on the left neighbor. It reports false
// for the others.
func undoFromAbove(run []uint32, predictor uint32, topLeft, top, topRight []uint32) bool {
	switch predictor {
	case 2:
		undoCopy(run, top)
	case 3:
		undoCopy(run, topRight)
	case 4:
		undoCopy(run, topLeft)
	case 8:
		undoMean(run, topLeft, top)
	case 9:
		undoMean(run, top, topRight)
	case 0, 14, 15:
		for i, p := range run {
			run[i] = add(p, 0xff<<24)
		}
	default:
		return false
	}
	return true
}

func undoCopy(run, from []uint32) {
	for i, p := range run {
		run[i] = add(p, from[i])
	}
}

func undoMean(run, a, b []uint32) {
	for i, p := range run {
		run[i] = add(p, mean(a[i], b[i]))
	}
}

// undoFromLeft applies the predictors that depend on the left neighbor. Each has its own loop,
// because every pixel waits for the previous one.
func undoFromLeft(run []uint32, predictor, left uint32, topLeft, top, topRight []uint32) {
	switch predictor {
	case 1:
		for i, p := range run {
			left = add(p, left)
			run[i] = left
		}
	case 5:
		for i, p := range run {
			left = add(p, mean(mean(left, topRight[i]), top[i]))
			run[i] = left
		}
	case 6:
		for i, p := range run {
			left = add(p, mean(left, topLeft[i]))
			run[i] = left
		}
	case 7:
		for i, p := range run {
			left = add(p, mean(left, top[i]))
			run[i] = left
		}
	case 10:
		for i, p := range run {
			left = add(p, mean(mean(left, topLeft[i]), mean(top[i], topRight[i])))
			run[i] = left
		}
	default:
		undoGradients(run, predictor, unpack(left), topLeft, top)
	}
}

// undoGradients applies the gradient predictors. It keeps the left neighbor unpacked between
// pixels.
func undoGradients(run []uint32, predictor uint32, left quad, topLeft, top []uint32) {
	switch predictor {
	case 11:
		for i, p := range run {
			left = (unpack(p) + selectNearest(left, unpack(top[i]), unpack(topLeft[i]))) & allBits
			run[i] = left.pack()
		}
	case 12:
		for i, p := range run {
			left = (unpack(p) + (left + (unpack(top[i]) + offset - unpack(topLeft[i]))).inRange()) & allBits
			run[i] = left.pack()
		}
	case 13:
		for i, p := range run {
			left = (unpack(p) + halfGradient((left+unpack(top[i]))>>1&allBits, unpack(topLeft[i]))) & allBits
			run[i] = left.pack()
		}
	}
}

// add adds the four samples of two pixels separately, modulo 256.
func add(a, b uint32) uint32 {
	const even, odd = 0xff00ff00, 0x00ff00ff
	return (a&even+b&even)&even | (a&odd+b&odd)&odd
}

// mean returns the mean of each sample, rounded down.
func mean(a, b uint32) uint32 { return a&b + (a^b)&0xfefefefe>>1 }
