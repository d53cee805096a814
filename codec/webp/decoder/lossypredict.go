package decoder

import "tileserver/codec/webp/vp8"

// plane is a plane of samples with a border above and on both sides. Blocks at the edges are
// predicted from the border.
type plane struct {
	samples []uint8
	stride  int
	width   int // padded to whole blocks
	height  int
}

const (
	leftBorder  = 16 // one is used
	rightBorder = 16 // four are used
	aboveSample = 127
	leftSample  = 129
)

// reset allocates the plane and sets its border.
func (p *plane) reset(width, height int) {
	p.width, p.height, p.stride = width, height, leftBorder+width+rightBorder
	if n := p.stride * (height + 1); cap(p.samples) < n {
		p.samples = make([]uint8, n)
	} else {
		p.samples = p.samples[:n]
	}
	for x := range p.stride {
		p.samples[x] = aboveSample
	}
	for y := range height {
		p.samples[p.at(0, y)-1] = leftSample
	}
}

// at returns the index of a sample.
func (p *plane) at(x, y int) int { return (y+1)*p.stride + leftBorder + x }

// predictWhole predicts a square of samples, a whole macroblock in its plane (RFC 6386, section
// 12.2).
func (p *plane) predictWhole(x, y, size int, m vp8.Mode) {
	at := p.at(x, y)
	above := p.samples[at-p.stride:][:size]
	switch m {
	case vp8.ModeVertical:
		for i := range size {
			copy(p.samples[at+i*p.stride:][:size], above)
		}
	case vp8.ModeHorizontal:
		for i := range size {
			row := p.samples[at+i*p.stride-1:][:size+1]
			fill(row[1:], row[0])
		}
	case vp8.ModeTrueMotion:
		p.predictGradient(at, above)
	default:
		mean := p.mean(x, y, size)
		for i := range size {
			fill(p.samples[at+i*p.stride:][:size], mean)
		}
	}
}

func fill(row []uint8, v uint8) {
	for i := range row {
		row[i] = v
	}
}

// mean returns the mean of the samples above and to the left, as far as they lie inside the
// picture.
func (p *plane) mean(x, y, size int) uint8 {
	at := p.at(x, y)
	sum, count := 0, 0
	if y > 0 {
		for _, v := range p.samples[at-p.stride:][:size] {
			sum += int(v)
		}
		count += size
	}
	if x > 0 {
		for i := range size {
			sum += int(p.samples[at+i*p.stride-1])
		}
		count += size
	}
	if count == 0 {
		return 128
	}
	return uint8((sum + count/2) / count)
}

// predictGradient predicts each sample as above + left - corner.
func (p *plane) predictGradient(at int, above []uint8) {
	corner := int32(p.samples[at-p.stride-1])
	for i := range above {
		row := p.samples[at+i*p.stride-1:][:len(above)+1]
		rise := int32(row[0]) - corner
		row = row[1:]
		for j := range row {
			row[j] = vp8.Clamp(int32(above[j]) + rise)
		}
	}
}

// predictSubblock predicts 4x4 samples (RFC 6386, section 12.3). corner holds the four samples
// above and to the right.
func (p *plane) predictSubblock(at int, m vp8.Mode, corner [4]uint8) {
	s := p.stride
	above := p.samples[at-s-1:][:5]
	// e lists the samples around the block: up the left side from the bottom, then along the top to
	// the right.
	e := [13]int32{
		int32(p.samples[at+3*s-1]), int32(p.samples[at+2*s-1]), int32(p.samples[at+s-1]), int32(p.samples[at-1]),
		int32(above[0]), int32(above[1]), int32(above[2]), int32(above[3]), int32(above[4]),
		int32(corner[0]), int32(corner[1]), int32(corner[2]), int32(corner[3]),
	}
	var b [16]uint8
	switch m {
	case vp8.ModeDC:
		mean := uint8((e[0] + e[1] + e[2] + e[3] + e[5] + e[6] + e[7] + e[8] + 4) >> 3)
		fill(b[:], mean)
	case vp8.ModeTrueMotion:
		for i := range b {
			b[i] = vp8.Clamp(e[3-i>>2] + e[5+i&3] - e[4])
		}
	case vp8.ModeVertical:
		for i := range b {
			b[i] = of3(&e, 4+i&3)
		}
	case vp8.ModeHorizontal:
		rows := [4]uint8{of3(&e, 2), of3(&e, 1), of3(&e, 0), uint8((e[1] + 3*e[0] + 2) >> 2)}
		for i := range b {
			b[i] = rows[i>>2]
		}
	case vp8.ModeDownRight:
		for i := range b {
			b[i] = of3(&e, 3-i>>2+i&3)
		}
	case vp8.ModeDownLeft:
		for i := range 15 {
			b[i] = of3(&e, 5+i>>2+i&3)
		}
		b[15] = uint8((e[11] + 3*e[12] + 2) >> 2)
	case vp8.ModeVerticalRight:
		b = [16]uint8{
			of2(&e, 4), of2(&e, 5), of2(&e, 6), of2(&e, 7),
			of3(&e, 3), of3(&e, 4), of3(&e, 5), of3(&e, 6),
			of3(&e, 2), of2(&e, 4), of2(&e, 5), of2(&e, 6),
			of3(&e, 1), of3(&e, 3), of3(&e, 4), of3(&e, 5),
		}
	case vp8.ModeVerticalLeft:
		b = [16]uint8{
			of2(&e, 5), of2(&e, 6), of2(&e, 7), of2(&e, 8),
			of3(&e, 5), of3(&e, 6), of3(&e, 7), of3(&e, 8),
			of2(&e, 6), of2(&e, 7), of2(&e, 8), of3(&e, 9),
			of3(&e, 6), of3(&e, 7), of3(&e, 8), of3(&e, 10),
		}
	case vp8.ModeHorizontalDown:
		b = [16]uint8{
			of2(&e, 3), of3(&e, 3), of3(&e, 4), of3(&e, 5),
			of2(&e, 2), of3(&e, 2), of2(&e, 3), of3(&e, 3),
			of2(&e, 1), of3(&e, 1), of2(&e, 2), of3(&e, 2),
			of2(&e, 0), of3(&e, 0), of2(&e, 1), of3(&e, 1),
		}
	case vp8.ModeHorizontalUp:
		last := uint8(e[0])
		end := uint8((e[1] + 3*e[0] + 2) >> 2)
		b = [16]uint8{
			of2(&e, 2), of3(&e, 1), of2(&e, 1), of3(&e, 0),
			of2(&e, 1), of3(&e, 0), of2(&e, 0), end,
			of2(&e, 0), end, last, last,
			last, last, last, last,
		}
	}
	for y := range 4 {
		copy(p.samples[at+y*s:][:4], b[4*y:])
	}
}

// of2 returns the mean of samples i and i+1. of3 returns the weighted mean of three samples.
func of2(e *[13]int32, i int) uint8 { return uint8((e[i] + e[i+1] + 1) >> 1) }
func of3(e *[13]int32, i int) uint8 { return uint8((e[i] + 2*e[i+1] + e[i+2] + 2) >> 2) }
