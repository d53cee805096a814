package nitftest

import "slices"

// Lossless says how blocks are written as lossless JPEG.
type Lossless struct {
	Predictor   int // 1 to 7; 0 means 1
	PointBits   int // low bits that are dropped
	RestartRows int // rows between restart markers; 0 for no markers
}

// losslessJPEG returns a block as a lossless JPEG. Its bands are interleaved in one scan if the
// mode is "P", and have a scan each if it is "B".
func (m *Image) losslessJPEG(b block) []byte {
	l := m.Lossless
	replaceZero(&l.Predictor, 1)
	planes := m.sampled(b)
	j := m.newJPEG(markerLosslessFrame, slices.Repeat([]int{1}, len(planes)))
	j.codes(0, 17)
	if l.RestartRows > 0 {
		j.interval(l.RestartRows * m.BlockWidth)
	}
	for _, scan := range m.scans(len(planes)) {
		m.beginScan(j, scan, len(planes), byte(l.Predictor), 0, byte(l.PointBits))
		m.losslessScan(j, planes, scan, l)
		j.endScan()
	}
	return j.end()
}

// losslessScan writes the data of a scan of some of the bands.
func (m *Image) losslessScan(j *jpegWriter, planes [][]uint64, scan []int, l Lossless) {
	firstRow := 0
	half := 1 << (m.ActualBits - l.PointBits - 1)
	for y := range m.BlockHeight {
		if l.RestartRows > 0 && y > 0 && y%l.RestartRows == 0 {
			j.restart(y/l.RestartRows - 1)
			firstRow = y
		}
		for x := range m.BlockWidth {
			for _, band := range scan {
				at := func(x, y int) int { return int(planes[band][y*m.BlockWidth+x] >> l.PointBits) }
				j.value(0, at(x, y)-prediction(at, x, y, firstRow, half, l.Predictor))
			}
		}
	}
}

// prediction returns what a sample is expected to be. half is what the first one is.
func prediction(at func(x, y int) int, x, y, firstRow, half, predictor int) int {
	switch {
	case x == 0 && y == firstRow:
		return half
	case y == firstRow:
		return at(x-1, y)
	case x == 0:
		return at(x, y-1)
	}
	left, above, corner := at(x-1, y), at(x, y-1), at(x-1, y-1)
	return [...]int{0, left, above, corner, left + above - corner, left + (above-corner)>>1, above + (left-corner)>>1,
		(left + above) >> 1}[predictor]
}
