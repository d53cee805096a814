package decoder

import "tileserver/codec/deflate"

// useFixedCodes builds the tables of the fixed codes.
func (d *Decoder) useFixedCodes() error {
	if d.hasFixedCodes {
		return nil
	}
	for symbol := range deflate.FixedLiteralSymbols {
		d.lengths[symbol] = deflate.FixedLiteralBits(symbol)
	}
	for symbol := range deflate.FixedDistanceSymbols {
		d.lengths[deflate.FixedLiteralSymbols+symbol] = deflate.FixedDistanceBits
	}
	err := d.buildTables(deflate.FixedLiteralSymbols, deflate.FixedDistanceSymbols)
	d.hasFixedCodes = err == nil
	return err
}

// readDynamicCodes reads the header of a block with its own codes and builds their tables.
func (d *Decoder) readDynamicCodes(s *stream) error {
	d.hasFixedCodes = false
	sizes, err := s.take(14)
	if err != nil {
		return err
	}
	literals, distances, codeLengths := int(sizes&31)+257, int(sizes>>5&31)+1, int(sizes>>10)+4
	if literals > deflate.LiteralSymbols || distances > deflate.DistanceSymbols {
		return ErrCorrupt
	}
	if err := d.readCodeLengthCode(s, codeLengths); err != nil {
		return err
	}
	if err := d.readCodeLengths(s, d.lengths[:literals+distances]); err != nil {
		return err
	}
	return d.buildTables(literals, distances)
}

// readCodeLengthCode reads the code for code lengths. Its table uses the memory of the distance
// table, which is built later.
func (d *Decoder) readCodeLengthCode(s *stream, count int) error {
	var lengths [len(deflate.HeaderOrder)]uint8
	for _, symbol := range deflate.HeaderOrder[:count] {
		length, err := s.take(3)
		if err != nil {
			return err
		}
		lengths[symbol] = uint8(length)
	}
	return codeLengthAlphabet.build(d.distances[:], &d.order, lengths[:])
}

// readCodeLengths reads the code lengths of both alphabets. A repetition may extend from one
// alphabet to the other.
func (d *Decoder) readCodeLengths(s *stream, lengths []uint8) error {
	for i := 0; i < len(lengths); {
		s.refill()
		e := d.distances[s.bits&(1<<codeLengthTableBits-1)]
		if e&isExceptional != 0 {
			return s.invalidCode()
		}
		if e.codeBits() > s.count {
			return ErrTruncated
		}
		s.drop(e.codeBits())
		symbol := uint8(e.value())
		if symbol < deflate.RepeatLength {
			lengths[i] = symbol
			i++
			continue
		}
		times, err := s.repetition(symbol)
		if err != nil {
			return err
		}
		repeated := uint8(0)
		if symbol == deflate.RepeatLength {
			if i == 0 {
				return ErrCorrupt
			}
			repeated = lengths[i-1]
		}
		if times > len(lengths)-i {
			return ErrCorrupt
		}
		for range times {
			lengths[i] = repeated
			i++
		}
	}
	return nil
}

// repetition reads the number of times that one of the symbols 16 to 18 repeats a length.
func (s *stream) repetition(symbol uint8) (times int, err error) {
	base, width := 3, uint(2)
	switch symbol {
	case deflate.RepeatZero:
		width = 3
	case deflate.RepeatZeroLong:
		base, width = 11, 7
	}
	more, err := s.take(width)
	return base + int(more), err
}

// invalidCode returns the error for an invalid code: ErrTruncated if the input ends within it,
// otherwise ErrCorrupt.
func (s *stream) invalidCode() error {
	if s.pos == len(s.src) && s.count < deflate.MaxCodeBits {
		return ErrTruncated
	}
	return ErrCorrupt
}
