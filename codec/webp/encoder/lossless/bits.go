package lossless

import "encoding/binary"

// bitWriter appends numbers to bytes, lowest bit first.
type bitWriter struct {
	bytes []byte
	bits  uint64 // not yet in bytes
	count uint   // number of bits in bits; below 32 between calls
}

// write appends the lowest count bits of value, for count up to 32. The bits above must be zero.
func (w *bitWriter) write(value uint32, count uint) {
	w.bits |= uint64(value) << w.count
	w.count += count
	if w.count >= 32 {
		w.bytes = binary.LittleEndian.AppendUint32(w.bytes, uint32(w.bits))
		w.bits >>= 32
		w.count -= 32
	}
}

func (w *bitWriter) writeFlag(flag bool) {
	if flag {
		w.write(1, 1)
		return
	}
	w.write(0, 1)
}

// writeCode appends the code of a symbol.
func (w *bitWriter) writeCode(c code) { w.write(c.bits(), c.length()) }

// flush fills the last byte with zero bits.
func (w *bitWriter) flush() {
	for ; w.count > 0; w.count -= min(w.count, 8) {
		w.bytes = append(w.bytes, byte(w.bits))
		w.bits >>= 8
	}
}
