package nitftest

import "encoding/binary"

// Lossless says how blocks are written as lossless JPEG.
type Lossless struct {
	Predictor   int // 1 to 7; 0 means 1
	PointBits   int // low bits that are dropped
	RestartRows int // rows between restart markers; 0 for no markers
}

// losslessJPEG returns a block as a lossless JPEG of one scan.
func (m *Image) losslessJPEG(b block) []byte {
	l := m.Lossless
	replaceZero(&l.Predictor, 1)
	planes := m.sampled(b)
	count := byte(len(planes))
	out := []byte{0xFF, 0xD8}
	out = append(out, m.marker()...)
	out = append(out, 0xFF, 0xC3, 0, 8+3*count, byte(m.ActualBits))
	out = binary.BigEndian.AppendUint16(out, uint16(m.BlockHeight))
	out = binary.BigEndian.AppendUint16(out, uint16(m.BlockWidth))
	out = append(out, count)
	for i := range count {
		out = append(out, i+1, 0x11, 0)
	}
	out = append(out, equalCodes()...)
	if l.RestartRows > 0 {
		out = append(out, 0xFF, 0xDD, 0, 4)
		out = binary.BigEndian.AppendUint16(out, uint16(l.RestartRows*m.BlockWidth))
	}
	out = append(out, 0xFF, 0xDA, 0, 6+2*count, count)
	for i := range count {
		out = append(out, i+1, 0)
	}
	out = append(out, byte(l.Predictor), 0, byte(l.PointBits))
	out = append(out, m.losslessData(planes, l)...)
	return append(out, 0xFF, 0xD9)
}

// sizeBits is the length of the code of each number of bits, 0 to 16.
const sizeBits = 5

// equalCodes returns the table of codes of equal length, whose value is their symbol.
func equalCodes() []byte {
	const symbols = 17
	out := []byte{0xFF, 0xC4, 0, 2 + 1 + 16 + symbols, 0}
	counts := make([]byte, 16)
	counts[sizeBits-1] = symbols
	out = append(out, counts...)
	for symbol := range byte(symbols) {
		out = append(out, symbol)
	}
	return out
}

// losslessData returns the entropy-coded data of the scan.
func (m *Image) losslessData(planes [][]uint64, l Lossless) []byte {
	var w stuffedBits
	firstRow, restart := 0, byte(0)
	for y := range m.BlockHeight {
		if l.RestartRows > 0 && y > 0 && y%l.RestartRows == 0 {
			w.end()
			w.bytes = append(w.bytes, 0xFF, 0xD0+restart%8)
			firstRow, restart = y, restart+1
		}
		for x := range m.BlockWidth {
			for _, plane := range planes {
				at := func(x, y int) int { return int(plane[y*m.BlockWidth+x] >> l.PointBits) }
				first := 1 << (m.ActualBits - l.PointBits - 1)
				w.difference(at(x, y) - prediction(at, x, y, firstRow, first, l.Predictor))
			}
		}
	}
	w.end()
	return w.bytes
}

// prediction returns what a sample is expected to be.
func prediction(at func(x, y int) int, x, y, firstRow, first, predictor int) int {
	switch {
	case x == 0 && y == firstRow:
		return first
	case y == firstRow:
		return at(x-1, y)
	case x == 0:
		return at(x, y-1)
	}
	left, above, corner := at(x-1, y), at(x, y-1), at(x-1, y-1)
	return [...]int{0, left, above, corner, left + above - corner, left + (above-corner)>>1, above + (left-corner)>>1,
		(left + above) >> 1}[predictor]
}

// stuffedBits writes bits, and a zero byte behind each byte of ones.
type stuffedBits struct {
	bytes []byte
	last  byte
	count int // bits in last
}

func (w *stuffedBits) put(value, bits int) {
	for i := bits - 1; i >= 0; i-- {
		w.last = w.last<<1 | byte(value>>i&1)
		if w.count++; w.count < 8 {
			continue
		}
		if w.bytes = append(w.bytes, w.last); w.last == 0xFF {
			w.bytes = append(w.bytes, 0)
		}
		w.last, w.count = 0, 0
	}
}

// difference writes the number of bits of a difference, modulo 16 bits, and these bits.
func (w *stuffedBits) difference(v int) {
	v = int(int16(v))
	size := 0
	for max(v, -v)>>size > 0 {
		size++
	}
	w.put(size, sizeBits)
	if size == 16 {
		return // half the range has no bits of its own
	}
	if v < 0 {
		v += 1<<size - 1
	}
	w.put(v, size)
}

// end fills the last byte with ones.
func (w *stuffedBits) end() {
	for w.count > 0 {
		w.put(1, 1)
	}
}
