// Package ccitt decodes bi-level fax images, in the four schemes of TIFF, from a slice into a
// slice. decode/blocks calls it. It knows neither files nor strips nor colors, only white and black
// runs.
//
// Words: a *change* is the index of a pixel whose color differs from the previous one.
package ccitt

import (
	"errors"
	"fmt"

	"tileserver/decode"
)

var (
	// ErrCorrupt reports a row that is invalid.
	ErrCorrupt = decode.Corrupt("ccitt: corrupt data")
	// ErrTruncated reports data that end before the last row.
	ErrTruncated = decode.Corrupt("ccitt: truncated data")
	// ErrUnsupported reports data in uncompressed mode, an extension that no known encoder writes.
	ErrUnsupported = errors.New("ccitt: uncompressed mode is not supported")
	// ErrSize reports an invalid width or number of rows, or a destination that is too short.
	ErrSize = errors.New("ccitt: invalid size")
)

// Scheme identifies how rows are coded.
type Scheme uint8

// Schemes of TIFF, with their compression numbers.
const (
	RLE    Scheme = iota // 2: runs, rows start at bytes
	RLEW                 // 32771: runs, rows start at even bytes
	Group3               // 3: T.4, one- or two-dimensional, usually with end-of-line codes
	Group4               // 4: T.6, two-dimensional
)

// maxWidth keeps positions within 32 bits, even those of a run that exceeds the row by one code.
const maxWidth = 1 << 30

// Params describes the data.
type Params struct {
	Scheme Scheme
	Width  int // pixels per row
	Rows   int // rows to decode; later data are ignored

	// TwoDimensional says that rows of Group3 may be coded relative to the row above.
	TwoDimensional bool

	// Resume says that a row of Group3 that is damaged or cut short does not end the decoding, which
	// goes on at the next end-of-line code. Decoder.Breaks lists such rows.
	Resume bool
}

// Break is a place where a row is damaged or cut short. Its pixels from Pixel on are lost, and white.
type Break struct{ Row, Pixel int }

// RowBytes returns the size of a decoded row: eight pixels per byte, the first pixel in the highest
// bit.
func (p *Params) RowBytes() int { return (p.Width + 7) / 8 }

// Decoder decodes images and reuses its memory, except for very wide rows. The zero value is ready
// to use. It is not safe for concurrent use.
type Decoder struct {
	tables          *codeTables
	in              input
	width, rowBytes int

	// Changes of the row above and of the current row.
	reference, current changes
	changeLimit        int // maximum number of changes per row

	ink painter

	breaks []Break // of the last call
}

// Decode decodes src into dst. White is 0, black is 1, and the bits beyond the width are 0. It
// returns the number of complete rows, even if it returns an error. The content of dst after those
// rows is undefined.
func (d *Decoder) Decode(dst, src []byte, p Params) (rows int, err error) {
	if p.Width <= 0 || p.Width > maxWidth || p.Rows < 0 || p.Rows > len(dst)/p.RowBytes() {
		return 0, fmt.Errorf("%d rows of %d pixels into %d bytes: %w", p.Rows, p.Width, len(dst), ErrSize)
	}
	if p.Rows == 0 {
		return 0, nil // avoids allocating for a width that dst does not bound
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
		rows, err = d.decodeGroup3(dst, &p)
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

// prepare sets up the decoder for one call.
func (d *Decoder) prepare(src []byte, p *Params) {
	d.tables = allTables()
	d.in, d.breaks = input{src}, nil
	d.width, d.rowBytes, d.changeLimit = p.Width, p.RowBytes(), maxChanges(p.Width, int64(len(src)))
	d.reference = d.reference.resized(d.changeLimit)
	d.current = d.current.resized(d.changeLimit)
	d.ink = d.ink.resized(p.Width)
	d.reference.terminate(firstChange, p.Width)
}

// Breaks returns the breaks in the rows that the last call decoded, from the top.
func (d *Decoder) Breaks() []Break { return d.breaks }

// WorkBytes estimates the working memory for rows of width pixels from srcBytes of data.
func WorkBytes(width int, srcBytes int64) int64 {
	const changeBytes, rows, wordBits, wordBytes = 4, 2, 64, 8
	return rows*changeBytes*int64(maxChanges(width, srcBytes)) + int64(width)/wordBits*wordBytes
}

// release drops the input, and memory that only a wide row needs.
func (d *Decoder) release() {
	d.in = input{}
	const maxRetained = 1 << 18 // changes
	if len(d.reference) > maxRetained {
		d.reference, d.current = nil, nil
	}
	if len(d.ink) > maxRetained {
		d.ink = nil
	}
}

// finish writes the current row, whose changes end at index end, and makes it the row above.
func (d *Decoder) finish(row []byte, end int) {
	d.ink.paint(row, d.current[firstChange:end], d.width)
	d.reference, d.current = d.current, d.reference
}
