// Package ccitt decodes the bi-level images of fax machines, in the four ways that TIFF stores them, from a slice into a
// slice. It must never know more of TIFF than that: no files, no strips, no colours, only white runs and black ones.
package ccitt

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt reports a row that cannot be what was scanned.
	ErrCorrupt = errors.New("ccitt: corrupt data")
	// ErrTruncated reports data that end before their last row does.
	ErrTruncated = errors.New("ccitt: truncated data")
	// ErrUnsupported reports data in the uncompressed mode, an extension that no known encoder writes.
	ErrUnsupported = errors.New("ccitt: uncompressed mode is not supported")
	// ErrSize reports a width, a number of rows and a destination that do not fit together.
	ErrSize = errors.New("ccitt: impossible size")
)

// Scheme is a way to code rows.
type Scheme uint8

// The schemes of TIFF, with the numbers of their compressions.
const (
	RLE    Scheme = iota // 2: runs, rows begin at bytes
	RLEW                 // 32771: runs, rows begin at every other byte
	Group3               // 3: T.4, one- or two-dimensional, usually with end-of-line codes
	Group4               // 4: T.6, two-dimensional
)

// T4TwoDimensional is the bit of TIFF's tag T4Options that matters: rows may be coded by what changed since the row
// above. The others tell what the data show by themselves.
const T4TwoDimensional = 1 << 0

// maxWidth keeps positions within 32 bits, those of runs too long by one code as well.
const maxWidth = 1 << 30

// Params says what the data do not say themselves.
type Params struct {
	Scheme    Scheme
	Width     int    // pixels in a row
	Rows      int    // rows wanted; data after them are ignored
	T4Options uint32 // TIFF's tag; for Group3 only
}

// RowBytes is the size of a decoded row: eight pixels a byte, the first of them in the highest bit.
func (p *Params) RowBytes() int { return (p.Width + 7) / 8 }

// Decoder keeps its working memory from one call to the next, unless it is large. The zero value is ready; one goroutine
// at a time may use it.
type Decoder struct {
	tables          *codeTables
	in              input
	width, rowBytes int

	// Where the colour changes: in the row above, and in the row at hand.
	reference, current changes
	mostChanges        int // in a row

	ink painter
}

// Decode decodes src into dst, where white is 0 and black is 1, and the bits beyond the width are 0. It returns how many
// rows it wrote, also with an error: those are whole, and what follows them in dst is not to be used.
func (d *Decoder) Decode(dst, src []byte, p Params) (rows int, err error) {
	if p.Width <= 0 || p.Width > maxWidth || p.Rows < 0 || p.Rows > len(dst)/p.RowBytes() {
		return 0, fmt.Errorf("%d rows of %d pixels into %d bytes: %w", p.Rows, p.Width, len(dst), ErrSize)
	}
	if p.Rows == 0 {
		return 0, nil // before working memory is sized by a width that dst has no part in
	}
	d.prepare(src, &p)
	defer d.release()
	dst = dst[:p.Rows*p.RowBytes()]
	switch p.Scheme {
	case RLE:
		rows, err = d.decodeRuns(dst, 1)
	case RLEW:
		rows, err = d.decodeRuns(dst, 2)
	case Group3:
		rows, err = d.decodeGroup3(dst, p.T4Options)
	case Group4:
		rows, err = d.decodeGroup4(dst)
	default:
		return 0, fmt.Errorf("scheme %d: %w", p.Scheme, ErrUnsupported)
	}
	if err != nil {
		return rows, fmt.Errorf("row %d of %d: %w", rows, p.Rows, err)
	}
	return rows, nil
}

// prepare sets the decoder up for one call.
func (d *Decoder) prepare(src []byte, p *Params) {
	d.tables = allTables()
	d.in = input{src}
	d.width, d.rowBytes, d.mostChanges = p.Width, p.RowBytes(), maxChanges(p.Width, int64(len(src)))
	d.reference = d.reference.sized(d.mostChanges)
	d.current = d.current.sized(d.mostChanges)
	d.ink = d.ink.sized(p.Width)
	d.reference.closed(firstChange, p.Width)
}

// WorkBytes is about what decoding rows of so many pixels takes beside the destination, from so many bytes.
func WorkBytes(width int, srcBytes int64) int64 {
	const changeBytes, rows, wordBits, wordBytes = 4, 2, 64, 8
	return rows*changeBytes*int64(maxChanges(width, srcBytes)) + int64(width)/wordBits*wordBytes
}

// release lets go of the input, and of memory that only a wide row took.
func (d *Decoder) release() {
	d.in = input{}
	const kept = 1 << 18 // changes
	if len(d.reference) > kept {
		d.reference, d.current = nil, nil
	}
	if len(d.ink) > kept {
		d.ink = nil
	}
}

// finish writes the row at hand, whose changes end at the given place, and makes it the one above.
func (d *Decoder) finish(row []byte, end int) {
	d.ink.paint(row, d.current[firstChange:end], d.width)
	d.reference, d.current = d.current, d.reference
}
