package ccitt

import "fmt"

// decodeRuns decodes rows of runs that start at multiples of alignment bytes.
func (d *Decoder) decodeRuns(dst []byte, alignment int) (rows int, err error) {
	var c cursor
	for ; len(dst) > 0; dst = dst[d.rowBytes:] {
		c = d.in.align(c, alignment)
		end := 0
		if c, end, err = d.rowOfRuns(c); err != nil {
			return rows, err
		}
		d.finish(dst[:d.rowBytes], end)
		rows++
	}
	return rows, nil
}

// rowOfRuns decodes a row of white and black runs into d.current. It returns the index after its
// changes.
func (d *Decoder) rowOfRuns(c cursor) (next cursor, end int, err error) {
	width, current := int32(d.width), d.current
	pairs := &d.tables.pairs
	n, last := firstChange, d.changeLimit-1
	for at := int32(0); at < width; {
		if n > last {
			return c, n, fmt.Errorf("%d runs: %w", n, ErrCorrupt)
		}
		if c.count < pairBits {
			c = d.in.refill(c)
		}
		// The row may end with the white run of a pair. The black code then belongs to the next
		// row.
		if p := pairs[c.word>>(64-pairBits)]; p != 0 && n&1 == white && at+p.white() < width {
			c = c.drop(p.length())
			current[n] = at + p.white()
			at += p.white() + p.black()
			current[n+1] = at
			n += 2
			continue
		}
		if c, at, err = d.run(c, at, n&1); err != nil {
			return c, n, err
		}
		current[n] = at
		n++
	}
	end, err = d.closeRow(c, n)
	return c, end, err
}

// run decodes a run of a color that starts at pixel at. It returns the end of the run, which
// exceeds the row by at most one code.
func (d *Decoder) run(c cursor, at int32, color int) (next cursor, end int32, err error) {
	runs := &d.tables.runs[color]
	for {
		if c.count < runBits {
			c = d.in.refill(c)
		}
		r := runs[c.word>>(64-runBits)]
		if r.isInvalid() {
			return c, at, fmt.Errorf("invalid run code at pixel %d: %w", at, d.in.codeError(c))
		}
		c = c.drop(r.length())
		if at += r.pixels(); !r.continues() || at > int32(d.width) {
			return c, at, nil
		}
	}
}

// closeRow checks the end of a row and writes the guards. n is the index after its changes.
func (d *Decoder) closeRow(c cursor, n int) (end int, err error) {
	switch at := d.current[n-1]; {
	case at > int32(d.width):
		return n, fmt.Errorf("%d pixels: %w", at, ErrCorrupt)
	case c.count < 0:
		return n, ErrTruncated
	}
	return d.current.terminate(n, d.width), nil
}
