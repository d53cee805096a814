package lossy

import "tileserver/codec/webp/vp8"

// neighbors holds the samples around a square of up to 16x16 samples, from which it is predicted.
type neighbors struct {
	above  [16]uint8
	left   [16]uint8
	corner uint8
	mean   uint8
	size   int
}

// read reads the neighbors of the square at x, y.
func (n *neighbors) read(p *plane, x, y, size int) {
	at := p.at(x, y)
	n.size = size
	copy(n.above[:size], p.samples[at-p.stride:])
	for i := range size {
		n.left[i] = p.samples[at+i*p.stride-1]
	}
	n.corner = p.samples[at-p.stride-1]
	sum, count := 0, 0
	if y > 0 {
		for _, v := range n.above[:size] {
			sum += int(v)
		}
		count += size
	}
	if x > 0 {
		for _, v := range n.left[:size] {
			sum += int(v)
		}
		count += size
	}
	n.mean = 128
	if count > 0 {
		n.mean = uint8((sum + count/2) / count)
	}
}

// predictInGo writes the prediction of a mode (RFC 6386, section 12.2).
func (n *neighbors) predictInGo(dst []uint8, stride int, m vp8.Mode) {
	for y := range n.size {
		row := dst[y*stride:][:n.size]
		switch m {
		case vp8.ModeVertical:
			copy(row, n.above[:])
		case vp8.ModeHorizontal:
			fill(row, n.left[y])
		case vp8.ModeTrueMotion:
			slope := int32(n.left[y]) - int32(n.corner)
			for x := range row {
				row[x] = vp8.Clamp(int32(n.above[x]) + slope)
			}
		default:
			fill(row, n.mean)
		}
	}
}

func distances16InGo(sums *[vp8.WholeModes]int32, n *neighbors, src []uint8, stride int) {
	*sums = [vp8.WholeModes]int32{}
	n.addDistances(sums, src, stride)
}

func distances8InGo(sums *[vp8.WholeModes]int32, u, v *neighbors, srcU, srcV []uint8, stride int) {
	*sums = [vp8.WholeModes]int32{}
	u.addDistances(sums, srcU, stride)
	v.addDistances(sums, srcV, stride)
}

// addDistances adds the squared differences between samples and each of their predictions.
func (n *neighbors) addDistances(sums *[vp8.WholeModes]int32, src []uint8, stride int) {
	for y := range n.size {
		row := src[y*stride:][:n.size]
		left := int32(n.left[y])
		for x, v := range row {
			s, above := int32(v), int32(n.above[x])
			mean, gradient := s-int32(n.mean), s-int32(vp8.Clamp(above+left-int32(n.corner)))
			vertical, horizontal := s-above, s-left
			sums[vp8.ModeDC] += mean * mean
			sums[vp8.ModeTrueMotion] += gradient * gradient
			sums[vp8.ModeVertical] += vertical * vertical
			sums[vp8.ModeHorizontal] += horizontal * horizontal
		}
	}
}
