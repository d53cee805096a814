package decoder

// decodeCarefully decodes symbols near the end of the input or the destination. It checks both ends
// for every symbol, and returns at the end of the block.
func (d *Decoder) decodeCarefully(s *stream) error {
	for {
		s.refill()
		e, err := s.symbol(d.literals[:], tableBits)
		if err != nil {
			return err
		}
		switch {
		case e&isLiteral != 0:
			if err := d.carefulLiteral(s, e); err != nil {
				return err
			}
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

// carefulLiteral writes the only or the first literal of e. What follows it in e may lie beyond
// either end.
func (d *Decoder) carefulLiteral(s *stream, e entry) error {
	literal, codeBits := byte(e.text()), e.codeBits()
	if e.literals() == 2 || e&isLength != 0 {
		codeBits = uint(d.lengths[literal])
	}
	if codeBits > s.count {
		return ErrTruncated
	}
	s.drop(codeBits)
	if s.n == len(s.dst) {
		return ErrTooLong
	}
	s.dst[s.n] = literal
	s.n++
	return nil
}

// symbol returns the entry of the next symbol. It follows a reference to the second level. It checks
// that the bits of the entry are available, unless it has literals.
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
	case e&isExceptional != 0 && e&isEndBlock == 0:
		return 0, s.invalidCode()
	case e&isLiteral == 0 && e.dropBits() > s.count:
		return 0, ErrTruncated
	}
	return e, nil
}

// carefulMatch copies the match whose length entry is e, or the part of it that fits.
func (d *Decoder) carefulMatch(s *stream, e entry) error {
	length := e.withExtra(s.bits)
	s.drop(e.dropBits())
	s.refill()
	e, err := s.symbol(d.distances[:], tableBits)
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
