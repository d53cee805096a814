package decoder

// Alphabets of RFC 1951, sections 3.2.5 to 3.2.7. The fixed codes have two symbols in each alphabet
// that data must not use.
const (
	maxLiteralSymbols  = 288
	maxDistanceSymbols = 32
	usedLiteralSymbols = 286
	usedDistances      = 30
	endOfBlock         = 256
	maxCodeBits        = 15
)

var (
	lengthBases = [...]uint32{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
		163, 195, 227, 258}
	lengthExtraBits = [...]uint32{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distanceBases   = [...]uint32{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
		2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distanceExtraBits = [...]uint32{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12,
		13, 13}
	codeLengthOrder = [...]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
)

// useFixedCodes builds the tables of the fixed codes.
func (d *Decoder) useFixedCodes() error {
	if d.hasFixedCodes {
		return nil
	}
	for symbol := range maxLiteralSymbols {
		switch {
		case symbol < 144:
			d.lengths[symbol] = 8
		case symbol < 256:
			d.lengths[symbol] = 9
		case symbol < 280:
			d.lengths[symbol] = 7
		default:
			d.lengths[symbol] = 8
		}
	}
	for symbol := range maxDistanceSymbols {
		d.lengths[maxLiteralSymbols+symbol] = 5
	}
	err := d.buildTables(maxLiteralSymbols, maxDistanceSymbols)
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
	if literals > usedLiteralSymbols || distances > usedDistances {
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
	var lengths [len(codeLengthOrder)]uint8
	for _, symbol := range codeLengthOrder[:count] {
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
		if e&isInvalid != 0 {
			return s.invalidCode()
		}
		if e.codeBits() > s.count {
			return ErrTruncated
		}
		s.drop(e.codeBits())
		symbol := uint8(e.value())
		if symbol < 16 {
			lengths[i] = symbol
			i++
			continue
		}
		times, err := s.repetition(symbol)
		if err != nil {
			return err
		}
		repeated := uint8(0)
		if symbol == 16 {
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
	case 17:
		width = 3
	case 18:
		base, width = 11, 7
	}
	more, err := s.take(width)
	return base + int(more), err
}

// invalidCode returns the error for an invalid code: ErrTruncated if the input ends within it,
// otherwise ErrCorrupt.
func (s *stream) invalidCode() error {
	if s.pos == len(s.src) && s.count < maxCodeBits {
		return ErrTruncated
	}
	return ErrCorrupt
}
