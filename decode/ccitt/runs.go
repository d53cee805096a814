package ccitt

import "fmt"

// decodeRuns decodes rows of runs that begin at a multiple of so many bytes.
func (d *Decoder) decodeRuns(dst []byte, alignment int) (rows int, err error) {
	var c cursor
	for ; len(dst) > 0; dst = dst[d.rowBytes:] {
		c = d.in.aligned(c, alignment)
		end := 0
		if c, end, err = d.rowOfRuns(c); err != nil {
			return rows, err
		}
		d.finish(dst[:d.rowBytes], end)
		rows++
	}
	return rows, nil
}

// rowOfRuns decodes a row of white and black runs into d.current, and returns the place where its changes end.
func (d *Decoder) rowOfRuns(c cursor) (next cursor, end int, err error) {
	width, current := int32(d.width), d.current
	pairs := &d.tables.pairs
	n, last := firstChange, d.mostChanges-1
	for at := int32(0); at < width; {
		if n > last {
			return c, n, fmt.Errorf("%d runs: %w", n, ErrCorrupt)
		}
		if c.count < pairBits {
			c = d.in.refill(c)
		}
		// The row may end with the white run of a pair: then the next row begins with what looks like a black one.
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

// run takes a run of a colour that begins at the given pixel, and returns where it ends: at most one code behind the row.
func (d *Decoder) run(c cursor, at int32, colour int) (next cursor, end int32, err error) {
	runs := &d.tables.runs[colour]
	for {
		if c.count < runBits {
			c = d.in.refill(c)
		}
		r := runs[c.word>>(64-runBits)]
		if r.isMissing() {
			return c, at, fmt.Errorf("no run at pixel %d: %w", at, d.in.missing(c))
		}
		c = c.drop(r.length())
		if at += r.pixels(); !r.goesOn() || at > int32(d.width) {
			return c, at, nil
		}
	}
}

// closeRow checks how a row ended and puts the guards behind its changes, which it has before the place n.
func (d *Decoder) closeRow(c cursor, n int) (end int, err error) {
	switch at := d.current[n-1]; {
	case at > int32(d.width):
		return n, fmt.Errorf("%d pixels: %w", at, ErrCorrupt)
	case c.count < 0:
		return n, ErrTruncated
	}
	return d.current.closed(n, d.width), nil
}
