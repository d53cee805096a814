package lossy

import "tileserver/codec/webp/vp8"

// edges holds the 13 samples around a subblock: up the left side from the bottom, then from the
// corner to the right. The first and the last sample are stored twice.
type edges [16]uint8

// predictions holds the prediction of a subblock for each mode.
type predictions [vp8.SubblockModes][16]uint8

// edgesOf reads the samples around a subblock. right holds the samples above and to the right,
// which may lie elsewhere.
func (p *plane) edgesOf(at int, right [4]uint8) (e edges) {
	s := p.stride
	above := p.samples[at-s-1:][:5]
	last := p.samples[at+3*s-1]
	e[0], e[1], e[2], e[3], e[4] = last, last, p.samples[at+2*s-1], p.samples[at+s-1], p.samples[at-1]
	e[5], e[6], e[7], e[8], e[9] = above[0], above[1], above[2], above[3], above[4]
	e[10], e[11], e[12], e[13], e[14] = right[0], right[1], right[2], right[3], right[3]
	return e
}

func (e *edges) chooseInGo(to *predictions, src []uint8, stride int, modeEfforts *[16]int32) uint32 {
	e.predictInGo(to)
	rows := effortRowsOf(src, stride)
	best := ^uint32(0)
	for m := range to {
		predicted := effortRowsOf(to[m][:], 4)
		effort := modeEfforts[m] + rows.effortInGo(&predicted)
		best = min(best, uint32(effort)<<4|uint32(m))
	}
	return best
}

// predictInGo predicts a subblock in all modes (RFC 6386, section 12.3).
func (e *edges) predictInGo(to *predictions) {
	// Means of a sample and the next one, and weighted means of three samples.
	var two, three [16]uint8
	for i := range 13 {
		a, b, c := int32(e[i]), int32(e[i+1]), int32(e[i+2])
		two[i], three[i] = uint8((a+b+1)>>1), uint8((a+2*b+c+2)>>2)
	}
	sum := int32(4)
	for i := range 4 {
		sum += int32(e[1+i]) + int32(e[6+i])
	}
	for y := range 4 {
		slope := int32(e[4-y]) - int32(e[5])
		for x := range 4 {
			i := 4*y + x
			to[vp8.ModeDC][i] = uint8(sum >> 3)
			to[vp8.ModeTrueMotion][i] = vp8.Clamp(int32(e[6+x]) + slope)
			to[vp8.ModeVertical][i] = three[5+x]
			to[vp8.ModeHorizontal][i] = three[3-y]
			to[vp8.ModeDownRight][i] = three[4-y+x]
			to[vp8.ModeDownLeft][i] = three[6+x+y]
		}
	}
	to[vp8.ModeVerticalRight] = [16]uint8{
		two[5], two[6], two[7], two[8],
		three[4], three[5], three[6], three[7],
		three[3], two[5], two[6], two[7],
		three[2], three[4], three[5], three[6],
	}
	to[vp8.ModeVerticalLeft] = [16]uint8{
		two[6], two[7], two[8], two[9],
		three[6], three[7], three[8], three[9],
		two[7], two[8], two[9], three[10],
		three[7], three[8], three[9], three[11],
	}
	to[vp8.ModeHorizontalDown] = [16]uint8{
		two[4], three[4], three[5], three[6],
		two[3], three[3], two[4], three[4],
		two[2], three[2], two[3], three[3],
		two[1], three[1], two[2], three[2],
	}
	last := e[0]
	to[vp8.ModeHorizontalUp] = [16]uint8{
		two[3], three[2], two[2], three[1],
		two[2], three[1], two[1], three[0],
		two[1], three[0], last, last,
		last, last, last, last,
	}
}
