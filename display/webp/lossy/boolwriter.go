package lossy

import (
	"encoding/binary"
	"math/bits"
)

// boolWriter is the arithmetic encoder of RFC 6386, 7. It encodes bits whose probabilities of being 0 are given in parts
// of 256.
type boolWriter struct {
	out   []byte
	low   uint64 // the lower end of the interval, below what is in out
	span  uint32 // of the interval: 128 to 255
	count int    // how many bits of low are to be written, above the eight of the interval
}

// start begins behind what is in out.
func (w *boolWriter) start(out []byte) {
	*w = boolWriter{out: out, span: 255}
}

// bit writes 0 or 1.
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

// flush moves whole bytes from low to out, and carries.
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

// carry adds one to what is written. There is always a byte to take it: the first bits of the interval are below one.
func (w *boolWriter) carry() {
	i := len(w.out) - 1
	for ; w.out[i] == 255; i-- {
		w.out[i] = 0
	}
	w.out[i]++
}

// finish writes what is left in whole bytes, and returns all that was written. Behind it a decoder reads zeros.
func (w *boolWriter) finish() []byte {
	w.flush()
	shift := 16 - w.count // what is left of the bits, and the interval
	w.low <<= shift
	w.count += shift
	w.flush()
	out := w.out
	w.out = nil // what is the caller's is not kept
	return out
}

// flag writes a bit that may as well be 0 as 1.
func (w *boolWriter) flag(set bool) {
	bit := 0
	if set {
		bit = 1
	}
	w.bit(bit, 128)
}

// uint writes n even bits, the highest first.
func (w *boolWriter) uint(v, n int) {
	for n--; n >= 0; n-- {
		w.bit(v>>n&1, 128)
	}
}

// optional writes a signed number, or that there is none.
func (w *boolWriter) optional(v, n int) {
	w.flag(v != 0)
	if v == 0 {
		return
	}
	w.uint(max(v, -v), n)
	w.flag(v < 0)
}

// tokens writes tokens.
func (w *boolWriter) tokensInGo(list []byte, p *probabilityTable) {
	low, span, count := w.low, w.span, w.count
	for ; len(list) >= tokenBytes; list = list[tokenBytes:] {
		k := binary.LittleEndian.Uint16(list)
		split := 1 + (span-1)*uint32(p[k>>1])>>8
		one := -uint32(k & 1) // all its bits, so that there is nothing to foresee
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
