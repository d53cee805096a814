package lossy

import (
	"encoding/binary"
	"math/bits"
)

// boolWriter is the arithmetic encoder of RFC 6386, section 7. Probabilities of a 0 are given in
// 256ths.
type boolWriter struct {
	out   []byte
	low   uint64 // lower end of the interval, without the bits in out
	span  uint32 // width of the interval: 128 to 255
	count int    // number of bits in low above the eight bits of the interval
}

// start starts writing behind the content of out.
func (w *boolWriter) start(out []byte) {
	*w = boolWriter{out: out, span: 255}
}

// bit encodes one bit. probability is the probability of a 0.
func (w *boolWriter) bit(bit int, probability uint8) {
	split := 1 + (w.span-1)*uint32(probability)>>8
	if bit != 0 {
		w.low += uint64(split)
		split = w.span - split
	}
	shift := bits.LeadingZeros8(uint8(split))
	w.span = split << (shift & 7)
	w.low <<= shift & 7
	if w.count += shift; w.count >= flushBits {
		w.flush()
	}
}

const flushBits = 48

// flush moves whole bytes from low to out and propagates the carry.
func (w *boolWriter) flush() {
	whole := w.count / 8
	rest := w.count - 8*whole + 8 // bits that stay in low
	settled := w.low >> rest      // with the carry above its bytes
	w.low &= 1<<rest - 1
	w.count -= 8 * whole
	if settled>>(8*whole) != 0 {
		w.carry()
	}
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], settled<<(64-8*whole))
	w.out = append(w.out, b[:whole]...)
}

// carry adds one to the written bytes. Some byte can absorb it, because the first bits of the
// interval are below one.
func (w *boolWriter) carry() {
	i := len(w.out) - 1
	for ; w.out[i] == 255; i-- {
		w.out[i] = 0
	}
	w.out[i]++
}

// finish writes the remaining bits as whole bytes, and returns everything written. A decoder reads
// zeros behind it.
func (w *boolWriter) finish() []byte {
	w.flush()
	shift := 16 - w.count // aligns the remaining bits and the interval
	w.low <<= shift
	w.count += shift
	w.flush()
	out := w.out
	w.out = nil // drop the reference to the caller's memory
	return out
}

// flag encodes a bit of even probability.
func (w *boolWriter) flag(set bool) {
	bit := 0
	if set {
		bit = 1
	}
	w.bit(bit, 128)
}

// uint encodes n bits of even probability, highest first.
func (w *boolWriter) uint(v, n int) {
	for n--; n >= 0; n-- {
		w.bit(v>>n&1, 128)
	}
}

// optional encodes a flag and, unless v is 0, an n-bit magnitude and a sign.
func (w *boolWriter) optional(v, n int) {
	w.flag(v != 0)
	if v == 0 {
		return
	}
	w.uint(max(v, -v), n)
	w.flag(v < 0)
}

// tokensInGo encodes a list of tokens.
func (w *boolWriter) tokensInGo(list []byte, p *probabilityTable) {
	low, span, count := w.low, w.span, w.count
	for ; len(list) >= tokenBytes; list = list[tokenBytes:] {
		k := binary.LittleEndian.Uint16(list)
		split := 1 + (span-1)*uint32(p[k>>1])>>8
		one := -uint32(k & 1) // all bits set for a 1, which avoids an unpredictable branch
		low += uint64(split & one)
		split += (span - 2*split) & one
		shift := bits.LeadingZeros8(uint8(split))
		span = split << (shift & 7)
		low <<= shift & 7
		if count += shift; count >= flushBits {
			w.low, w.count = low, count
			w.flush()
			low, count = w.low, w.count
		}
	}
	w.low, w.span, w.count = low, span, count
}
