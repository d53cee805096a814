package webp

// undoPrediction adds to each pixel what it was predicted to be.
func (t *transform) undoPrediction(pixels []uint32) {
	const black = 0xff << 24
	pixels[0] = add(pixels[0], black)
	for x := 1; x < t.width; x++ {
		pixels[x] = add(pixels[x], pixels[x-1])
	}
	for y, at := 1, t.width; at < len(pixels); y, at = y+1, at+t.width {
		pixels[at] = add(pixels[at], pixels[at-t.width])
		elements := t.elements[y>>t.bits*t.partsWide:]
		for x := 1; x < t.width; {
			end := min((x>>t.bits+1)<<t.bits, t.width)
			undoRun(pixels, at+x, at+end, t.width, elements[x>>t.bits]>>8&15)
			x = end
		}
	}
}

// undoRun is for pixels that are predicted alike. The pixel above and to the right of the last one of a row is the first
// of its own row.
func undoRun(pixels []uint32, from, to, width int, predictor uint32) {
	if to <= from {
		return
	}
	run := pixels[from:to]
	above := pixels[from-width-1:][:len(run)+2] // from the one above and to the left
	left := pixels[from-1]
	for i, p := range run {
		topLeft, top, topRight := above[i], above[i+1], above[i+2]
		left = add(p, predict(predictor, left, topLeft, top, topRight))
		run[i] = left
	}
}

func predict(predictor, left, topLeft, top, topRight uint32) uint32 {
	switch predictor {
	case 1:
		return left
	case 2:
		return top
	case 3:
		return topRight
	case 4:
		return topLeft
	case 5:
		return mean(mean(left, topRight), top)
	case 6:
		return mean(left, topLeft)
	case 7:
		return mean(left, top)
	case 8:
		return mean(topLeft, top)
	case 9:
		return mean(top, topRight)
	case 10:
		return mean(mean(left, topLeft), mean(top, topRight))
	case 11:
		return nearer(left, top, topLeft)
	case 12:
		return gradient(left, top, topLeft)
	case 13:
		return halfGradient(mean(left, top), topLeft)
	}
	return 0xff << 24
}

// add adds the four samples of pixels, each by itself.
func add(a, b uint32) uint32 {
	const even, odd = 0xff00ff00, 0x00ff00ff
	return (a&even+b&even)&even | (a&odd+b&odd)&odd
}

// mean is that of each sample, rounded down.
func mean(a, b uint32) uint32 { return a&b + (a^b)&0xfefefefe>>1 }

// nearer is left or top, whichever the gradient is nearer to.
func nearer(left, top, topLeft uint32) uint32 {
	toLeft, toTop := int32(0), int32(0)
	for shift := 0; shift < 32; shift += 8 {
		l, t, c := int32(left>>shift&0xff), int32(top>>shift&0xff), int32(topLeft>>shift&0xff)
		toLeft += distance(t, c)
		toTop += distance(l, c)
	}
	if toLeft < toTop {
		return left
	}
	return top
}

func gradient(left, top, topLeft uint32) (p uint32) {
	for shift := 0; shift < 32; shift += 8 {
		l, t, c := int32(left>>shift&0xff), int32(top>>shift&0xff), int32(topLeft>>shift&0xff)
		p |= uint32(clamp(l+t-c)) << shift
	}
	return p
}

func halfGradient(middle, topLeft uint32) (p uint32) {
	for shift := 0; shift < 32; shift += 8 {
		m, c := int32(middle>>shift&0xff), int32(topLeft>>shift&0xff)
		p |= uint32(clamp(m+(m-c)/2)) << shift
	}
	return p
}
