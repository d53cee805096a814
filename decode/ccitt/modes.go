package ccitt

import "fmt"

// rowOfModes decodes a row that is told by how it differs from the row above into d.current, and returns the place where
// its changes end. The names are those of T.6: the row is known up to a0, and b1 is the first change above and behind a0
// to the colour that a0 has not.
//
// As colours alternate, so do places: b, the place of b1, is odd where a0 is white.
func (d *Decoder) rowOfModes(c cursor) (next cursor, end int, err error) {
	width, above, current := int32(d.width), d.reference, d.current
	modes := &d.tables.modes
	n, b, last := firstChange, firstChange, d.mostChanges-1
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
				return c, n, fmt.Errorf("change at pixel %d, after %d: %w", a1, a0, ErrCorrupt)
			}
			a0 = a1
			current[n] = a0
			n++
			b-- // of the other colour; a shift to the left may have left this one behind a0 still
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
			return c, n, fmt.Errorf("no mode at pixel %d: %w", a0, d.noMode(c, e))
		}
		for above[b] <= a0 {
			b += 2
		}
	}
	end, err = d.closeRow(c, n)
	return c, end, err
}

// noMode is the error of a code that is none of the modes, or of that which leads to others.
func (d *Decoder) noMode(c cursor, e modeCode) error {
	if e.mode == extension {
		return ErrUnsupported
	}
	return d.in.missing(c)
}
