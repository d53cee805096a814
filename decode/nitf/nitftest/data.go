package nitftest

import "encoding/binary"

// data returns the data of an image: masks, what the compression puts before all blocks, blocks.
func (m *Image) data() []byte {
	prefix, blocks, offsets := m.stored()
	if !m.masked() {
		if m.Invalid != nil {
			panic("pad samples without a mask")
		}
		return append(prefix, blocks...)
	}
	return append(m.masks(len(prefix), offsets), append(prefix, blocks...)...)
}

// missing is the offset of a block that is not stored, or has no pad samples.
const missing = 0xFFFFFFFF

// stored returns the blocks one after the other, with the offset of each.
func (m *Image) stored() (prefix, blocks []byte, offsets []uint32) {
	if m.Data != nil {
		return nil, m.Data, m.flags()
	}
	c := m.compressor()
	for _, b := range m.blocks() {
		if m.Missing != nil && m.Missing(b.column, b.row, b.firstBand) {
			if !m.masked() {
				panic("blocks are missing without a mask")
			}
			offsets = append(offsets, missing)
			continue
		}
		offsets = append(offsets, uint32(len(blocks)))
		blocks = append(blocks, c.block(b)...)
	}
	return c.prefix, blocks, offsets
}

// flags returns the offsets of blocks whose place only their own data know: 0 if a block is stored.
func (m *Image) flags() []uint32 {
	var flags []uint32
	for _, b := range m.blocks() {
		flag := uint32(0)
		if m.Missing != nil && m.Missing(b.column, b.row, b.firstBand) {
			flag = missing
		}
		flags = append(flags, flag)
	}
	return flags
}

// masks returns the tables of missing blocks and of blocks with pad samples, with their header.
func (m *Image) masks(prefixBytes int, offsets []uint32) []byte {
	const headBytes, offsetBytes = 10, 4
	var code, stored, padded []byte
	var offsetsOfStored, offsetsOfPadded, codeBits byte
	if m.Missing != nil {
		stored, offsetsOfStored = appendOffsets(nil, offsets), offsetBytes
	}
	if m.Invalid != nil {
		padded, offsetsOfPadded = appendOffsets(nil, m.padded(offsets)), offsetBytes
		code, codeBits = binary.BigEndian.AppendUint64(nil, m.Pad)[8-(m.Bits+7)/8:], byte(m.Bits)
	}
	size := headBytes + len(code) + len(stored) + len(padded) + prefixBytes
	h := newHeader(m.Fields)
	h.raw("IMDATOFF", binary.BigEndian.AppendUint32(nil, uint32(size)))
	h.raw("BMRLNTH", []byte{0, offsetsOfStored})
	h.raw("TMRLNTH", []byte{0, offsetsOfPadded})
	h.raw("TPXCDLNTH", []byte{0, codeBits})
	h.raw("TPXCD", code)
	h.raw("BMR", stored)
	h.raw("TMR", padded)
	return h.bytes
}

// padded returns the offsets of the blocks with pad samples.
func (m *Image) padded(offsets []uint32) []uint32 {
	out := make([]uint32, len(offsets))
	for i, b := range m.blocks() {
		out[i] = missing
		if m.isPadded(b) {
			out[i] = offsets[i]
		}
	}
	return out
}

func (m *Image) isPadded(b block) bool {
	for y := b.row * m.BlockHeight; y < (b.row+1)*m.BlockHeight; y++ {
		for x := b.column * m.BlockWidth; x < (b.column+1)*m.BlockWidth; x++ {
			if x >= m.Width || y >= m.Height || m.Invalid(x, y) {
				return true
			}
		}
	}
	return false
}

func appendOffsets(out []byte, offsets []uint32) []byte {
	for _, offset := range offsets {
		out = binary.BigEndian.AppendUint32(out, offset)
	}
	return out
}
