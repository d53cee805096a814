package ccitt

import "fmt"

// rowOfModes decodes a row that is coded relative to the row above into d.current. It returns the
// index after its changes. The variables have the names of T.6: the row is known up to a0, and b1
// is the first change above, to the right of a0, to the color opposite to that of a0.
//
// Colors alternate, and so do the parities of indexes: b, the index of b1, is odd if a0 is white.
func (d *Decoder) rowOfModes(c cursor) (next cursor, end int, err error) {
	width, above, current := int32(d.width), d.reference, d.current
	modes := &d.tables.modes
	n, b, last := firstChange, firstChange, d.changeLimit-1
	for a0 := int32(0); a0 < width; {
		if n > last {
			return c, n, fmt.Errorf("%d runs: %w", n, ErrCorrupt)
		}
		if c.count < modeBits {
			c = d.in.refill(c)
		}
		e := modes[c.word>>(64-modeBits)]
		c = c.drop(e.length)
		switch e.mode {
		case vertical:
			a1 := above[b] + int32(e.shift)
			if a1 < a0 {
				return c, n, fmt.Errorf("change at pixel %d follows one at %d: %w", a1, a0, ErrCorrupt)
			}
			a0 = a1
			current[n] = a0
			n++
			// Of the other color; after a shift to the left, this change may still lie behind a0.
			b--
		case horizontal:
			for range 2 {
				if c, a0, err = d.run(c, a0, n&1); err != nil {
					return c, n, err
				}
				current[n] = a0
				n++
			}
		case pass:
			a0 = above[b+1]
		default:
			return c, n, fmt.Errorf("invalid mode code at pixel %d: %w", a0, d.modeError(c, e))
		}
		for above[b] <= a0 {
			b += 2
		}
	}
	end, err = d.closeRow(c, n)
	return c, end, err
}

// modeError returns the error for an invalid code or for the extension code.
func (d *Decoder) modeError(c cursor, e modeCode) error {
	if e.mode == extension {
		return ErrUnsupported
	}
	return d.in.codeError(c)
}
