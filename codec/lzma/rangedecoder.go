package lzma

const (
	probabilityBits = 11
	probabilityOne  = 1 << probabilityBits
	adaptShift      = 5
	rangeTop        = 1 << 24 // a smaller span is extended by a byte

	// rangeHeadBytes is the number of bytes read before the first bit.
	rangeHeadBytes = 5
	// maxSymbolBytes is the maximum number of bytes read for one symbol.
	maxSymbolBytes = 20
)

// probability is the probability of a 0, in units of 1 / probabilityOne.
type probability uint16

// rangeDecoder is the state of the range decoder. It is passed by value to keep it in registers.
type rangeDecoder struct {
	pos  int // index of the next byte
	span uint32
	code uint32
}

// normalize extends the span to at least rangeTop, which decoding a bit requires.
func (r rangeDecoder) normalize(src []byte) rangeDecoder {
	if r.span < rangeTop {
		r.span <<= 8
		r.code = r.code<<8 | uint32(src[r.pos])
		r.pos++
	}
	return r
}

// branchingBit decodes a bit and adapts its probability. It suits bits that the caller branches on.
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

// bit decodes a bit like branchingBit but without a branch, since bits of pixel data are
// unpredictable. zero is a mask of ones for a 0. The probability is adapted by a shift that rounds
// down; the offset makes the increase round as in branchingBit.
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

// tree decodes bits, highest first. The probability of each bit depends on the previous ones.
func (r rangeDecoder) tree(src []byte, probabilities []probability, bits int) (rangeDecoder, uint32) {
	symbol := uint32(1)
	for range bits {
		var b uint32
		r = r.normalize(src)
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
		r = r.normalize(src)
		r, b = r.bit(&probabilities[symbol])
		symbol = symbol<<1 | b
		value |= b << i
	}
	return r, value
}

// direct decodes bits of even probability, highest first.
func (r rangeDecoder) direct(src []byte, bits int) (rangeDecoder, uint32) {
	value := uint32(0)
	for range bits {
		r = r.normalize(src)
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
		r = r.normalize(src)
		r, b = r.bit(&p[symbol])
		symbol = symbol<<1 | b
	}
	return r, byte(symbol)
}

// literalAfterMatch decodes a byte after a match. The byte at the last distance serves as context:
// as long as the decoded bits equal those of that byte, separate probabilities apply.
func (r rangeDecoder) literalAfterMatch(src []byte, p *[literalSize]probability, matched byte) (rangeDecoder, byte) {
	symbol, other, equal := uint32(1), uint32(matched), uint32(1<<8)
	for symbol < 1<<8 {
		var b uint32
		other <<= 1
		expected := other & equal
		r = r.normalize(src)
		r, b = r.bit(&p[equal+expected+symbol])
		symbol = symbol<<1 | b
		equal &= expected ^ (b - 1)
	}
	return r, byte(symbol)
}
