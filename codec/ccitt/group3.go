package ccitt

import (
	"errors"
	"fmt"
	"math/bits"
)

// decodeGroup3 decodes rows of T.4. Each row should begin with an end-of-line code. Some files lack
// these codes and do not tell whether their rows start at bytes, so it tries both.
func (d *Decoder) decodeGroup3(dst []byte, p *Params) (rows int, err error) {
	rows, err = d.rowsOfGroup3(dst, p.TwoDimensional, false)
	if err == nil {
		return rows, nil
	}
	_, found := d.in.endOfLine(cursor{})
	switch {
	case found && p.Resume && errors.Is(err, ErrCorrupt):
		return d.rowsWithBreaks(dst, p)
	case found || p.TwoDimensional:
		return rows, err
	}
	if rows, err := d.rowsOfGroup3(dst, false, true); err == nil {
		return rows, nil
	}
	return d.rowsOfGroup3(dst, false, false)
}

// rowsOfGroup3 decodes rows. Rows without an end-of-line code start at the next bit, or at the next
// byte if atBytes is set.
func (d *Decoder) rowsOfGroup3(dst []byte, twoDimensional, atBytes bool) (rows int, err error) {
	var c cursor
	for ; len(dst) > 0; dst = dst[d.rowBytes:] {
		var end int
		var oneDimensional bool
		if atBytes {
			c = d.in.align(c, 1)
		}
		if c, oneDimensional, err = d.beginRow(c, twoDimensional, rows == 0); err != nil {
			return rows, err
		}
		if c, end, err = d.rowOf(c, oneDimensional); err != nil {
			return rows, err
		}
		d.finish(dst[:d.rowBytes], end)
		rows++
	}
	return rows, nil
}

// rowOf decodes a row into d.current. It returns the index after its changes.
func (d *Decoder) rowOf(c cursor, oneDimensional bool) (next cursor, end int, err error) {
	if oneDimensional {
		return d.rowOfRuns(c)
	}
	return d.rowOfModes(c)
}

// beginRow reads the end-of-line code before a row, or several before the first row. It reports
// whether the row is coded in one dimension.
func (d *Decoder) beginRow(c cursor, twoDimensional, first bool) (next cursor, oneDimensional bool, err error) {
	next, found := d.in.endOfLine(c)
	if !found {
		if twoDimensional && !first {
			return c, false, fmt.Errorf("no end-of-line code before the row: %w", ErrCorrupt)
		}
		return c, true, nil
	}
	for oneDimensional = true; ; {
		c = next
		if twoDimensional {
			c = d.in.refill(c)
			oneDimensional = c.word>>63 == 1
			c = c.drop(1)
		}
		next, found = d.in.endOfLine(c)
		if !found {
			return c, oneDimensional, nil
		}
		if !first {
			return c, false, fmt.Errorf("end of page before the row: %w", ErrTruncated)
		}
	}
}

// zerosOfEnd is the minimum number of zeros at the start of an end-of-line code. Encoders insert
// more as padding.
const zerosOfEnd = 11

// endOfLine reads an end-of-line code, if one follows.
func (in *input) endOfLine(c cursor) (next cursor, found bool) {
	start, zeros := c, 0
	for {
		c = in.refill(c)
		leading := min(bits.LeadingZeros64(c.word), c.count)
		if zeros += leading; leading < c.count {
			break
		}
		if c.next == len(in.src) {
			return start, false
		}
		c = cursor{next: c.next}
	}
	if zeros < zerosOfEnd {
		return start, false
	}
	leading := uint8(bits.LeadingZeros64(c.word))
	return c.drop(leading).drop(1), true
}
