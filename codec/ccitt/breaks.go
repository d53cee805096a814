package ccitt

import (
	"errors"
	"math/bits"
)

// maxBreaks bounds the breaks of an image. No page has so many that anyone would want to see it.
const maxBreaks = 1 << 12

// rowsWithBreaks decodes rows that each begin with an end-of-line code. After a row that is damaged
// or cut short it goes on at the next such code; rows that are coded relative to a lost one are lost
// too. It fails if most rows are, or very many.
func (d *Decoder) rowsWithBreaks(dst []byte, p *Params) (rows int, err error) {
	var c cursor
	for rows < p.Rows {
		var end int
		var oneDimensional bool
		if c, oneDimensional, err = d.beginNextRow(c, p.TwoDimensional, rows == 0); err != nil {
			return rows, err
		}
		row := dst[rows*d.rowBytes:][:d.rowBytes]
		c, end, err = d.rowOf(c, oneDimensional)
		rows++
		if err == nil {
			d.finish(row, end)
			continue
		}
		if !errors.Is(err, ErrCorrupt) {
			return rows - 1, err
		}
		d.breakRow(row, rows-1, end)
		next, found := d.in.nextEndOfLine(c)
		if !found && rows < p.Rows {
			return rows, ErrTruncated
		}
		c, rows = d.skipDependent(next, dst, p, rows)
		if len(d.breaks) > min(p.Rows/2, maxBreaks) {
			return 0, err
		}
	}
	return rows, nil
}

// beginNextRow is beginRow where the end-of-line code may not follow at once. It passes over what lies
// before.
func (d *Decoder) beginNextRow(c cursor, twoDimensional, first bool) (next cursor, oneDimensional bool, err error) {
	next, oneDimensional, err = d.beginRow(c, twoDimensional, first)
	if !errors.Is(err, ErrCorrupt) {
		return next, oneDimensional, err
	}
	c, found := d.in.nextEndOfLine(c)
	if !found {
		return c, false, ErrTruncated
	}
	return d.beginRow(c, twoDimensional, first)
}

// breakRow writes the sound part of a row, whose changes end at index end.
func (d *Decoder) breakRow(row []byte, number, end int) {
	at := int32(0)
	if end > firstChange {
		at = d.current[end-1]
	}
	if at > int32(d.width) {
		at, end = 0, firstChange // a row that is too long is damaged anywhere
	}
	if (end-firstChange)%2 == 1 {
		end-- // white from the break on, not black
	}
	d.breaks = append(d.breaks, Break{number, int(at)})
	d.finish(row, d.current.terminate(end, d.width))
}

// skipDependent skips rows from an end-of-line code on that are coded relative to the row above,
// which is lost. They are lost too, and white.
func (d *Decoder) skipDependent(c cursor, dst []byte, p *Params, rows int) (next cursor, _ int) {
	for p.TwoDimensional && rows < p.Rows && len(d.breaks) <= maxBreaks {
		after, _ := d.in.endOfLine(c)
		if after = d.in.refill(after); after.count <= 0 || after.word>>63 == 1 {
			break
		}
		clear(dst[rows*d.rowBytes:][:d.rowBytes])
		d.breaks = append(d.breaks, Break{Row: rows})
		rows++
		var found bool
		if c, found = d.in.nextEndOfLine(after.drop(1)); !found {
			break
		}
	}
	return c, rows
}

// nextEndOfLine returns the position of the next end-of-line code.
func (in *input) nextEndOfLine(c cursor) (at cursor, found bool) {
	at, zeros := c, 0
	for {
		c = in.refill(c)
		if c.count <= 0 {
			return at, false
		}
		leading := min(bits.LeadingZeros64(c.word), c.count)
		zeros += leading
		switch {
		case leading < c.count && zeros >= zerosOfEnd:
			return at, true
		case leading < c.count:
			c = c.drop(uint8(leading)).drop(1)
			at, zeros = c, 0
		case c.next == len(in.src):
			return at, false
		default:
			c = cursor{next: c.next}
		}
	}
}
