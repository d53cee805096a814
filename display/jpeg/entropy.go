package jpeg

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// maxBlockBytes bounds what a block can take: 64 codes of at most 27 bits, every byte stuffed, and what is pending.
const maxBlockBytes = 2 * (64*27/8 + 8)

// bitWriter appends codes to out, most significant bit first, with a zero byte after every 0xff.
type bitWriter struct {
	out     []byte
	pending uint64 // its lowest count bits are not written yet; what is above them is
	count   uint   // below 32 between calls
}

// reserve makes room for some blocks, so that writing them needs not look.
func (w *bitWriter) reserve(blocks int) {
	w.out = slices.Grow(w.out, blocks*maxBlockBytes)
}

// finish writes what is pending, filled up with ones.
func (w *bitWriter) finish() {
	for w.count > 0 {
		missing := uint(max(8-int(w.count), 0))
		value := byte(w.pending<<missing>>(w.count+missing-8)) | byte(1<<missing-1)
		w.out = append(w.out, value)
		if value == 0xff {
			w.out = append(w.out, 0)
		}
		w.count -= min(w.count, 8)
	}
}

// put adds up to 27 bits.
func (w *bitWriter) put(value uint32, length uint) {
	w.pending = w.pending<<(length&63) | uint64(value)
	w.count += length
	if w.count >= 32 {
		w.count -= 32
		w.out = appendStuffed(w.out, uint32(w.pending>>(w.count&63)))
	}
}

// appendStuffed appends four bytes of entropy-coded data.
func appendStuffed(out []byte, word uint32) []byte {
	if (^word-0x01010101)&word&0x80808080 == 0 { // no byte of ^word is zero
		return binary.BigEndian.AppendUint32(out, word)
	}
	for shift := 24; shift >= 0; shift -= 8 {
		value := byte(word >> shift)
		out = append(out, value)
		if value == 0xff {
			out = append(out, 0)
		}
	}
	return out
}

// component is the state of one colour component.
type component struct {
	quantiser *quantiser
	dc, ac    *[256]huffmanCode
	previous  int32 // the quantised DC coefficient of the last block
}

const (
	symbolEnd      = 0x00 // all that follow are zero
	symbolZeroes16 = 0xf0
)

// writeBlock transforms, quantises and codes a block.
func (c *component) writeBlock(w *bitWriter, samples *block) {
	if samples.isFlat() {
		c.writeDC(w, 64*int32(samples[0]&0xff))
		w.putCode(c.ac[symbolEnd], 0)
		return
	}
	var coefficients coefficients
	transform(&coefficients, samples)
	c.writeDC(w, coefficients[0])
	c.writeAC(w, &coefficients)
}

func (b *block) isFlat() bool {
	first := b[0]
	if first>>32 != first&0xff {
		return false
	}
	for _, word := range b {
		if word != first {
			return false
		}
	}
	return true
}

// writeDC takes the scaled coefficient of samples that are not yet shifted to be around zero.
func (c *component) writeDC(w *bitWriter, scaled int32) {
	value := int32((int64(scaled-64*128)*c.quantiser.reciprocals[0] + stepHalf) >> stepBits)
	difference := value - c.previous
	c.previous = value
	magnitude := magnitudeBits(difference)
	w.putCode(c.dc[magnitude&15], valueBits(difference, magnitude))
}

// writeAC does what put does by itself, with the state of the writer in local variables: it has most of the codes.
func (c *component) writeAC(w *bitWriter, coefficients *coefficients) {
	var quantised [64]int32
	nonzero := c.quantiser.quantise(&quantised, coefficients)
	codes := c.ac
	out, pending, count := w.out, w.pending, w.count
	last := 0
	for ; nonzero != 0; nonzero &= nonzero - 1 {
		i := bits.TrailingZeros64(nonzero)
		run := i - last - 1
		last = i
		for ; run > 15; run -= 16 {
			code := codes[symbolZeroes16]
			pending = pending<<(code&31) | uint64(code>>5)
			if count += uint(code & 31); count >= 32 {
				count -= 32
				out = appendStuffed(out, uint32(pending>>(count&63)))
			}
		}
		value := quantised[i&63]
		magnitude := magnitudeBits(value)
		code := codes[(uint(run)<<4|magnitude)&0xff]
		length := uint(code & 31)
		pending = pending<<length | uint64(uint32(code>>5)|valueBits(value, magnitude))
		if count += length; count >= 32 {
			count -= 32
			out = appendStuffed(out, uint32(pending>>(count&63)))
		}
	}
	w.out, w.pending, w.count = out, pending, count
	if last < 63 {
		w.putCode(codes[symbolEnd], 0)
	}
}

// quantise returns a bit for each AC coefficient, in the order of the stream, that is not zero. There is no branch in
// it, because where the zeroes are cannot be foreseen.
func (q *quantiser) quantise(quantised *[64]int32, coefficients *coefficients) (nonzero uint64) {
	for i := 1; i < 64; i++ {
		value := (int64(coefficients[zigzag[i]&63])*q.reciprocals[i] + stepHalf) >> stepBits
		quantised[i] = int32(value)
		nonzero = nonzero>>1 | uint64(value|-value)&(1<<63) // the sign bit of one of them is set, if not zero
	}
	return nonzero
}

func (w *bitWriter) putCode(code huffmanCode, value uint32) {
	w.put(uint32(code>>5)|value, uint(code&31))
}

// magnitudeBits returns the number of bits of the absolute value.
func magnitudeBits(value int32) uint {
	sign := value >> 31
	return uint(bits.Len32(uint32(value ^ sign - sign)))
}

// valueBits returns the bits that follow the code: the value, or for a negative one its complement.
func valueBits(value int32, magnitude uint) uint32 {
	return uint32(value+value>>31) & (1<<(magnitude&31) - 1)
}
