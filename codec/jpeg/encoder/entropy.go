package encoder

import (
	"encoding/binary"
	"math/bits"

	"tileserver/codec/jpeg"
	"tileserver/internal/reuse"
)

// bitWriter collects codes, most significant bit first. Its buffer has room for the longest
// possible codes, so writing needs no bounds checks. The zero bytes that must follow every 0xff are
// inserted when the data leave the buffer.
type bitWriter struct {
	buffer []byte
	end    bitEnd
}

// bitEnd is the write position of a bitWriter. It is passed by value to keep it in registers.
type bitEnd struct {
	length  int    // number of whole bytes in the buffer
	pending uint64 // the lowest count bits are unwritten; the bits above have been written
	count   uint   // below 8
}

const (
	// maxBlockBytes bounds the size of a block: 64 codes of at most 26 bits.
	maxBlockBytes = 64 * 26 / 8

	wordBytes = 8 // a whole word is written even if only some of its bytes are final
)

// reset empties the writer, and makes room for the given number of blocks between two calls of
// appendWhole.
func (w *bitWriter) reset(blocks int) {
	*w = bitWriter{buffer: reuse.Slice(w.buffer, blocks*maxBlockBytes+wordBytes)}
}

// put writes a code, and returns the new end.
func (e bitEnd) put(buffer []byte, code huffmanCode) bitEnd {
	length := code.length()
	e.pending = e.pending<<length | code.bits()
	e.count += length
	binary.BigEndian.PutUint64(buffer[e.length:], e.pending<<(-e.count&63))
	e.length += int(e.count >> 3)
	e.count &= 7
	return e
}

// appendWhole moves the whole bytes to out.
func (w *bitWriter) appendWhole(out []byte) []byte {
	out = appendStuffed(out, w.buffer[:w.end.length])
	w.end.length = 0
	return out
}

// appendRest appends the remaining bits, padded with ones.
func (w *bitWriter) appendRest(out []byte) []byte {
	if w.end.count == 0 {
		return out
	}
	missing := 8 - w.end.count
	return appendStuffed(out, []byte{byte(w.end.pending<<missing) | byte(1<<missing-1)})
}

// component is the coding state of one color component.
type component struct {
	codes    *codeTables
	previous int32 // the DC coefficient of the previous block
}

const (
	symbolEnd     = 0x00 // only zeros follow
	symbolZeros16 = 0xf0
)

// writeGo codes blocks.
func (c *component) writeGo(w *bitWriter, blocks []block) {
	codes, buffer, end := c.codes, w.buffer, w.end
	for b := range blocks {
		block := &blocks[b]
		difference := int32(block.coefficients[0]) - c.previous
		c.previous += difference
		end = end.put(buffer, codes.dc[magnitudeBits(difference)&15].with(difference))
		last := 0
		for nonzero := block.nonzero &^ 1; nonzero != 0; nonzero &= nonzero - 1 {
			i := bits.TrailingZeros64(nonzero)
			run := uint(i - last - 1)
			last = i
			for ; run > 15; run -= 16 {
				end = end.put(buffer, codes.ac[symbolZeros16])
			}
			end = end.put(buffer, codes.coefficient(run, int32(block.coefficients[blockIndex[i&63]&63])))
		}
		if last < jpeg.BlockSize-1 {
			end = end.put(buffer, codes.ac[symbolEnd])
		}
	}
	w.end = end
}

// coefficient returns the code of a nonzero coefficient, including its value bits.
func (t *codeTables) coefficient(run uint, value int32) huffmanCode {
	if small := uint(value + smallValues/2); small < smallValues {
		return t.small[(run*smallValues+small)%uint(len(t.small))]
	}
	return t.ac[(run<<4|magnitudeBits(value))&0xff].with(value)
}
