package lzma

const (
	probabilityBits = 11
	probabilityOne  = 1 << probabilityBits
	adaptShift      = 5
	rangeTop        = 1 << 24 // a smaller range is widened by a byte

	// rangeHeadBytes are read before the first bit.
	rangeHeadBytes = 5
	// maxSymbolBytes is the most that decoding one symbol reads.
	maxSymbolBytes = 20
)

// probability is how likely a bit is 0, of probabilityOne.
type probability uint16

// rangeDecoder is the state of the range decoder. It is passed by value, which keeps it in registers.
type rangeDecoder struct {
	pos  int // of the next byte
	span uint32
	code uint32
}

// widened has a span of at least rangeTop, which decoding a bit takes.
func (r rangeDecoder) widened(src []byte) rangeDecoder {
	if r.span < rangeTop {
		r.span <<= 8
		r.code = r.code<<8 | uint32(src[r.pos])
		r.pos++
	}
	return r
}

// branchingBit decodes a bit and adapts its probability. It is for bits that are branched on anyway.
func (r rangeDecoder) branchingBit(p *probability) (rangeDecoder, uint32) {
	bound := r.span >> probabilityBits * uint32(*p)
	if r.code < bound {
		r.span = bound
		*p += (probabilityOne - *p) >> adaptShift
		return r, 0
	}
	r.span -= bound
	r.code -= bound
	*p -= *p >> adaptShift
	return r, 1
}

// bit does the same without a branch, which no processor can predict where bits are pixels. A zero is a mask of ones; the
// probability is moved by a shift that rounds down, which rounds the way up as branchingBit does.
func (r rangeDecoder) bit(p *probability) (rangeDecoder, uint32) {
	const towardsOne = probabilityOne + 1 - 1<<adaptShift
	bound := r.span >> probabilityBits * uint32(*p)
	zero := uint32((int64(r.code) - int64(bound)) >> 32)
	r.span -= bound
	r.span ^= (r.span ^ bound) & zero
	r.code -= bound &^ zero
	*p -= probability((int32(*p) - int32(zero)&towardsOne) >> adaptShift)
	return r, zero + 1
}

// tree decodes bits, highest first, each with a probability of its own for what came before.
func (r rangeDecoder) tree(src []byte, probabilities []probability, bits int) (rangeDecoder, uint32) {
	symbol := uint32(1)
	for range bits {
		var b uint32
		r = r.widened(src)
		r, b = r.bit(&probabilities[symbol])
		symbol = symbol<<1 | b
	}
	return r, symbol - 1<<bits
}

// reverseTree decodes bits, lowest first.
func (r rangeDecoder) reverseTree(src []byte, probabilities []probability, bits int) (rangeDecoder, uint32) {
	symbol, value := uint32(1), uint32(0)
	for i := range bits {
		var b uint32
		r = r.widened(src)
		r, b = r.bit(&probabilities[symbol])
		symbol = symbol<<1 | b
		value |= b << i
	}
	return r, value
}

// direct decodes bits, highest first, that are as likely 0 as 1.
func (r rangeDecoder) direct(src []byte, bits int) (rangeDecoder, uint32) {
	value := uint32(0)
	for range bits {
		r = r.widened(src)
		r.span >>= 1
		r.code -= r.span
		negative := r.code >> 31
		r.code += r.span & -negative
		value = value<<1 | (1 - negative)
	}
	return r, value
}

// literal decodes a byte.
func (r rangeDecoder) literal(src []byte, p *[literalSize]probability) (rangeDecoder, byte) {
	symbol := uint32(1)
	for symbol < 1<<8 {
		var b uint32
		r = r.widened(src)
		r, b = r.bit(&p[symbol])
		symbol = symbol<<1 | b
	}
	return r, byte(symbol)
}

// literalAfterMatch decodes a byte that is not the one at the last distance, which would have made the match longer. As
// long as its bits are those of that byte they have probabilities of their own.
func (r rangeDecoder) literalAfterMatch(src []byte, p *[literalSize]probability, matched byte) (rangeDecoder, byte) {
	symbol, other, equal := uint32(1), uint32(matched), uint32(1<<8)
	for symbol < 1<<8 {
		var b uint32
		other <<= 1
		expected := other & equal
		r = r.widened(src)
		r, b = r.bit(&p[equal+expected+symbol])
		symbol = symbol<<1 | b
		equal &= expected ^ (b - 1)
	}
	return r, byte(symbol)
}
