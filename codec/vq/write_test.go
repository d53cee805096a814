package vq

import "encoding/binary"

// image is what a test compresses: a codebook, and the codes of a block.
type image struct {
	rows, columns int
	kernels       [][kernelSide * kernelSide]byte
	codes         []int
	gap           int // bytes between the tables
}

// header returns the header and the tables.
func (m *image) header() []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(m.rows))
	out = binary.BigEndian.AppendUint32(out, uint32(m.columns))
	out = append(out, 12)                                   // bits of a code
	out = append(out, 0, 1, 0, 4, 0, 0)                     // algorithm, tables, parameters
	out = append(out, 0, 0, 0, 6, 0, 14)                    // records and their length
	at := uint32(6 + 4*14)                                  // of the first table, from the line above
	tableBytes := uint32(kernelSide*len(m.kernels) + m.gap) // with the gap behind it
	for i := range uint32(kernelSide) {
		out = append(out, 0, byte(i+1))
		out = binary.BigEndian.AppendUint32(out, uint32(len(m.kernels)))
		out = append(out, 0, kernelSide, 0, 8)
		out = binary.BigEndian.AppendUint32(out, at+i*tableBytes)
	}
	for row := range kernelSide {
		for _, k := range m.kernels {
			out = append(out, k[row*kernelSide:][:kernelSide]...)
		}
		if row < kernelSide-1 {
			out = append(out, make([]byte, m.gap)...)
		}
	}
	return out
}

// packed returns the codes, twelve bits each.
func (m *image) packed() []byte {
	var out []byte
	bits, held := uint(0), 0
	for _, code := range m.codes {
		bits, held = bits<<12|uint(code), held+12
		for ; held >= 8; held -= 8 {
			out = append(out, byte(bits>>(held-8)))
		}
	}
	if held > 0 {
		out = append(out, byte(bits<<(8-held)))
	}
	return out
}

// pixel returns a pixel of the block, looked up alone.
func (m *image) pixel(x, y int) byte {
	code := m.codes[y/kernelSide*m.columns+x/kernelSide]
	return m.kernels[code][y%kernelSide*kernelSide+x%kernelSide]
}
