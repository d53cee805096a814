package decoder

// decodeCarefully decodes symbols near the end of the input or the destination. It checks both ends
// for every symbol, and returns at the end of the block.
func (d *Decoder) decodeCarefully(s *stream) error {
	for {
		s.refill()
		e, err := s.symbol(d.literals[:], literalTableBits)
		if err != nil {
			return err
		}
		switch {
		case e&isLiteral != 0:
			// Take only the first of a pair: the second may lie beyond either end.
			s.drop(e.codeBits())
			if s.n == len(s.dst) {
				return ErrTooLong
			}
			s.dst[s.n] = byte(e >> 16)
			s.n++
		case e&isEndBlock != 0 && e&isExceptional != 0:
			s.drop(e.codeBits())
			return nil
		default:
			if err := d.carefulMatch(s, e); err != nil {
				return err
			}
		}
	}
}

// symbol returns the entry of the next symbol, and checks that its bits are available. It follows a
// reference to the second level.
func (s *stream) symbol(table []entry, width uint) (entry, error) {
	e := table[s.bits&(1<<width-1)]
	if e&isExceptional != 0 && e&isSubtable != 0 {
		if s.count < width {
			return 0, ErrTruncated
		}
		s.drop(width)
		e = table[e.subtable(s.bits)]
	}
	switch {
	case e&isExceptional != 0 && e&isInvalid != 0:
		return 0, s.invalidCode()
	case e.codeBits() > s.count, e&isLiteral == 0 && e.dropBits() > s.count:
		return 0, ErrTruncated
	}
	return e, nil
}

// carefulMatch copies the match whose length entry is e, or the part of it that fits.
func (d *Decoder) carefulMatch(s *stream, e entry) error {
	length := e.withExtra(s.bits)
	s.drop(e.dropBits())
	s.refill()
	e, err := s.symbol(d.distances[:], distanceTableBits)
	if err != nil {
		return err
	}
	distance := e.withExtra(s.bits)
	s.drop(e.dropBits())
	if distance > s.n {
		return ErrCorrupt
	}
	fitting := min(length, len(s.dst)-s.n)
	for range fitting {
		s.dst[s.n] = s.dst[s.n-distance]
		s.n++
	}
	if fitting < length {
		return ErrTooLong
	}
	return nil
}
