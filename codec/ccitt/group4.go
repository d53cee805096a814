package ccitt

import (
	"fmt"
	"math/bits"
)

// decodeGroup4 decodes rows of T.6.
func (d *Decoder) decodeGroup4(dst []byte) (rows int, err error) {
	var c cursor
	var above []byte
	end := firstChange
	for ; len(dst) > 0; dst = dst[d.rowBytes:] {
		row := dst[:d.rowBytes]
		c = d.in.refill(c)
		if above != nil && d.repeats(c, end) {
			c = c.drop(uint8(end))
			copy(row, above)
		} else {
			start := c
			if c, end, err = d.rowOfModes(c); err != nil {
				return rows, d.orPageEnd(start, err)
			}
			d.finish(row, end)
		}
		above = row
		rows++
	}
	return rows, nil
}

// repeats reports whether the next row equals the row above, whose changes end at index end. Such a
// row is coded as one 1 bit per change and one for the end of the row, which makes end bits.
func (d *Decoder) repeats(c cursor, end int) bool {
	return bits.LeadingZeros64(^c.word) >= end && c.count >= end && d.reference.alternate(end)
}

// orPageEnd returns the error for a missing row: truncation if the end-of-page code follows,
// otherwise err.
func (d *Decoder) orPageEnd(start cursor, err error) error {
	if _, found := d.in.endOfLine(start); found {
		return fmt.Errorf("end of page before the row: %w", ErrTruncated)
	}
	return err
}
