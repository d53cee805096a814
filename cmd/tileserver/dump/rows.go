package dump

import (
	"bytes"
	"fmt"
	"io"

	"tileserver/raster"
)

// rowWriter gathers rows of a band that are consecutive in the output.
type rowWriter struct {
	*Dump
	w      io.WriterAt
	offset int64 // of rows
	rows   []byte
	row    []byte // the last of rows, which is being filled
	piece  raster.Rect
}

// gatheredBytes is about how many bytes are written at a time.
const gatheredBytes = 1 << 20

// begin starts a row of zeros.
func (r *rowWriter) begin(band int, piece raster.Rect, y int) error {
	size := piece.Width() * r.sampleBytes()
	offset := r.position(band, piece.X0, y)
	if len(r.rows) > 0 && (offset != r.offset+int64(len(r.rows)) || len(r.rows)+size > gatheredBytes) {
		if err := r.flush(); err != nil {
			return err
		}
	}
	if len(r.rows) == 0 {
		r.offset = offset
	}
	begin := len(r.rows)
	if cap(r.rows) < begin+size {
		r.rows = append(make([]byte, 0, max(begin+size, min(gatheredBytes, 4*(begin+size)))), r.rows...)
	}
	r.rows = r.rows[:begin+size]
	r.row, r.piece = r.rows[begin:], piece
	clear(r.row)
	return nil
}

// put copies the samples that a tile has of row y into the row.
func (r *rowWriter) put(tile raster.Tile, band int, at raster.Rect, y int) {
	shared := at.Intersect(raster.Rect{X0: r.piece.X0, Y0: y, X1: r.piece.X1, Y1: y + 1})
	if shared.Empty() {
		return
	}
	size := r.sampleBytes()
	from := tile.Plane(band)[((y-at.Y0)*at.Width()+shared.X0-at.X0)*size:]
	copy(r.row[(shared.X0-r.piece.X0)*size:], from[:shared.Width()*size])
}

// flush writes the gathered rows.
func (r *rowWriter) flush() error {
	rows := r.rows
	r.rows = r.rows[:0]
	toLittleEndian(rows, r.Provider.Info().Type)
	return writeUnlessZero(r.w, rows, r.offset)
}

// writeUnlessZero writes samples unless they are all zero, as the output is where nothing is written.
func writeUnlessZero(w io.WriterAt, samples []byte, offset int64) error {
	if len(bytes.Trim(samples, "\x00")) == 0 {
		return nil
	}
	if _, err := w.WriteAt(samples, offset); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}
