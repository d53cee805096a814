package nitftest

import (
	"bytes"
	"math"
)

// jpeg returns a block as a JPEG of 8 or 12 bits that loses next to nothing. Its bands are
// interleaved in one scan if the mode is "P", and have a scan each if it is "B". As the standard
// wants, restart markers separate the rows of units.
func (m *Image) jpeg(b block) []byte {
	planes := m.jpegPlanes(b)
	frame := byte(markerFrame)
	if m.ActualBits > 8 {
		frame = markerExtendedFrame
	}
	var factors []int
	for _, p := range planes {
		factors = append(factors, p.factor)
	}
	j := m.newJPEG(frame, factors)
	j.segment(markerQuantizer, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	j.codes(0x00, 16)
	j.codes(0x10, maxSymbols)
	side := 8 * planes[0].factor
	j.interval((m.BlockWidth + side - 1) / side)
	for _, scan := range m.scans(len(planes)) {
		m.jpegScan(j, planes, scan)
	}
	return j.end()
}

// jpegPlane is the samples of a band at the resolution that is coded.
type jpegPlane struct {
	samples       []uint64
	width, height int
	factor        int // blocks of the plane in a row and in a column of a unit
}

// jpegPlanes returns what is coded of a block.
func (m *Image) jpegPlanes(b block) []jpegPlane {
	samples := m.sampled(b)
	isColor := m.Representation == "YCbCr601" && len(samples) == 3
	if isColor {
		m.toYCbCr(samples)
	}
	var planes []jpegPlane
	for band, plane := range samples {
		p := jpegPlane{plane, m.BlockWidth, m.BlockHeight, 1}
		if isColor && m.HalfChroma {
			if p.factor = 2; band > 0 {
				p = p.half()
			}
		}
		planes = append(planes, p)
	}
	return planes
}

// half returns the means of 2 x 2 samples.
func (p jpegPlane) half() jpegPlane {
	h := jpegPlane{width: (p.width + 1) / 2, height: (p.height + 1) / 2, factor: 1}
	for y := range h.height {
		for x := range h.width {
			h.samples = append(h.samples, (p.at(2*x, 2*y)+p.at(2*x+1, 2*y)+p.at(2*x, 2*y+1)+p.at(2*x+1, 2*y+1)+2)/4)
		}
	}
	return h
}

// at returns a sample. Those beyond the plane repeat its edge.
func (p jpegPlane) at(x, y int) uint64 {
	return p.samples[min(y, p.height-1)*p.width+min(x, p.width-1)]
}

// jpegScan writes a scan of some of the bands.
func (m *Image) jpegScan(j *jpegWriter, planes []jpegPlane, scan []int) {
	basis := newBasis()
	side := 8 * planes[0].factor // of a unit
	m.beginScan(j, scan, len(planes), 0, 63, 0)
	for y := 0; y < m.BlockHeight; y += side {
		if y > 0 {
			j.restart(y/side - 1)
		}
		before := make([]int, len(planes))
		for x := 0; x < m.BlockWidth; x += side {
			for _, band := range scan {
				p := planes[band]
				for i := range p.factor * p.factor {
					left, top := 8*(x/side*p.factor+i%p.factor), 8*(y/side*p.factor+i/p.factor)
					j.coefficients(m.transformed(p, left, top, basis), &before[band])
				}
			}
		}
	}
	j.endScan()
}

// scans returns the bands of each scan of a stream.
func (m *Image) scans(bands int) [][]int {
	var apart [][]int
	together := [][]int{nil}
	for band := range bands {
		apart = append(apart, []int{band})
		together[0] = append(together[0], band)
	}
	if m.Mode == "P" {
		return together
	}
	return apart
}

// reducedJPEG returns the image as a JPEG of half its size, as "I1" has it.
func (m *Image) reducedJPEG(b block) []byte {
	half := *m
	half.Width, half.Height = (m.Width+1)/2, (m.Height+1)/2
	half.BlockWidth, half.BlockHeight = half.Width, half.Height
	half.Value = func(x, y, band int) float64 {
		return m.Value(min(2*x, m.Width-1), min(2*y, m.Height-1), band)
	}
	return half.jpeg(b)
}

// toYCbCr converts red, green and blue to luma and chroma.
func (m *Image) toYCbCr(planes [][]uint64) {
	center, largest := math.Ldexp(1, m.ActualBits-1), math.Ldexp(1, m.ActualBits)-1
	for i := range planes[0] {
		r, g, b := float64(planes[0][i]), float64(planes[1][i]), float64(planes[2][i])
		luma := 0.299*r + 0.587*g + 0.114*b
		for band, v := range []float64{luma, center + (b-luma)/1.772, center + (r-luma)/1.402} {
			planes[band][i] = uint64(max(0, min(math.Round(v), largest)))
		}
	}
}

// basis holds the cosines of the transform, by frequency and position.
type basis [8][8]float64

func newBasis() *basis {
	var b basis
	for k := range b {
		scale := 0.5
		if k == 0 {
			scale /= math.Sqrt2
		}
		for at := range b[k] {
			b[k][at] = scale * math.Cos(float64(2*at+1)*float64(k)*math.Pi/16)
		}
	}
	return &b
}

// transformed returns the coefficients of the 8 x 8 samples at a position, in the order of a
// stream.
func (m *Image) transformed(plane jpegPlane, left, top int, basis *basis) (coefficients [64]int) {
	center := math.Ldexp(1, m.ActualBits-1)
	var samples [8][8]float64
	for y := range 8 {
		for x := range 8 {
			samples[y][x] = float64(plane.at(left+x, top+y)) - center
		}
	}
	var columns [8][8]float64 // transformed from top to bottom
	for v := range 8 {
		for x := range 8 {
			for y := range 8 {
				columns[v][x] += samples[y][x] * basis[v][y]
			}
		}
	}
	for i := range coefficients {
		var sum float64
		u, v := zigzag(i)
		for x := range 8 {
			sum += columns[v][x] * basis[u][x]
		}
		coefficients[i] = int(math.Round(sum))
	}
	return coefficients
}

// zigzag returns the column and row of a coefficient in the order of a stream: along the
// diagonals, in turn up and down.
func zigzag(i int) (u, v int) {
	for diagonal := 0; ; diagonal++ {
		first := max(0, diagonal-7) // the least column or row of the diagonal
		length := diagonal - 2*first + 1
		if i >= length {
			i -= length
			continue
		}
		if diagonal%2 == 0 {
			return first + i, diagonal - first - i
		}
		return diagonal - first - i, first + i
	}
}

// coefficients writes the coefficients of a block. before is the first one of the block before it.
func (j *jpegWriter) coefficients(list [64]int, before *int) {
	const sixteenZeros, end = 0xF0, 0
	j.value(0, list[0]-*before)
	*before = list[0]
	zeros := 0
	for _, c := range list[1:] {
		if c == 0 {
			zeros++
			continue
		}
		for ; zeros > 15; zeros -= 16 {
			j.bits.put(sixteenZeros, codeBits)
		}
		j.value(zeros, c)
		zeros = 0
	}
	if zeros > 0 {
		j.bits.put(end, codeBits)
	}
}
