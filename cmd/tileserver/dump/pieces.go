package dump

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"

	"tileserver/raster"
)

// blockOverheadBytes is the approximate memory that a block takes besides its pixels.
const blockOverheadBytes = 512

// blockBytes returns the approximate memory of a block of some bands, with its coverage.
func (d *Dump) blockBytes(bands int) int64 {
	l := d.Provider.Info().Levels[d.Level]
	return int64(min(l.BlockWidth, l.Width))*int64(min(l.BlockHeight, l.Height))*int64(bands)*int64(d.sampleBytes()+1) + blockOverheadBytes
}

// bandsAtATime splits the bands into groups such that one block of a group fits into room, if
// possible.
func (d *Dump) bandsAtATime() [][]int {
	count := len(d.Bands)
	for count > 1 && d.blockBytes(count) > d.Room {
		count = (count + 1) / 2
	}
	var groups [][]int
	for first := 0; first < len(d.Bands); first += count {
		group := make([]int, 0, count)
		for at := first; at < min(first+count, len(d.Bands)); at++ {
			group = append(group, at)
		}
		groups = append(groups, group)
	}
	return groups
}

// pieces splits the window along block edges into rectangles that fit into room: several rows of
// blocks, or part of one row.
func (d *Dump) pieces(bands int) iter.Seq[raster.Rect] {
	l := d.Provider.Info().Levels[d.Level]
	blocks := max(d.Room/d.blockBytes(bands), 1)
	columns := int64((d.Window.X1-1)/l.BlockWidth - d.Window.X0/l.BlockWidth + 1)
	width, height := int(min(blocks, columns))*l.BlockWidth, int(max(blocks/columns, 1))*l.BlockHeight
	return func(yield func(raster.Rect) bool) {
		for y := d.Window.Y0 / l.BlockHeight * l.BlockHeight; y < d.Window.Y1; y += height {
			for x := d.Window.X0 / l.BlockWidth * l.BlockWidth; x < d.Window.X1; x += width {
				if !yield(raster.Rect{X0: x, Y0: y, X1: x + width, Y1: y + height}.Intersect(d.Window)) {
					return
				}
			}
		}
	}
}

// strips splits the window into rows, or parts of a row, of which one band fits into room.
func (d *Dump) strips() iter.Seq[raster.Rect] {
	l := d.Provider.Info().Levels[d.Level]
	width, height := d.Window.Width(), 1
	samples := int(max(d.Room/2/int64(d.sampleBytes()), 1))
	if rows := samples / width; rows > 1 {
		height = rows
		if rows > l.BlockHeight {
			height = rows / l.BlockHeight * l.BlockHeight
		}
	} else if rows == 0 {
		width = samples
	}
	return func(yield func(raster.Rect) bool) {
		for y := d.Window.Y0; y < d.Window.Y1; y += height {
			for x := d.Window.X0; x < d.Window.X1; x += width {
				if !yield(raster.Rect{X0: x, Y0: y, X1: x + width, Y1: y + height}.Intersect(d.Window)) {
					return
				}
			}
		}
	}
}

// writePiece reads a piece of some bands and writes its nonzero samples.
func (d *Dump) writePiece(ctx context.Context, w io.WriterAt, piece raster.Rect, bands []int) error {
	isEmpty, err := raster.IsEmpty(ctx, d.Provider, d.Level, piece)
	if err != nil || isEmpty && d.Provider.Info().Pad == 0 {
		return err
	}
	if isEmpty {
		return d.writePad(w, piece, bands)
	}
	read, err := d.read(ctx, piece, bands)
	if err != nil {
		return err
	}
	out := rowWriter{Dump: d, w: w}
	for i, band := range bands {
		for y := piece.Y0; y < piece.Y1; y++ {
			if err := out.begin(band, piece, y); err != nil {
				return err
			}
			first, end := read.inRow(y)
			for t := first; t < end; t++ {
				out.put(read.tiles[t], i, read.rects[t], y)
			}
		}
		if err := out.flush(); err != nil {
			return err
		}
	}
	for _, tile := range read.tiles {
		d.lost.add(tile)
	}
	return nil
}

// readPixels holds the tiles that cover a piece, row by row, and their rectangles in the level.
type readPixels struct {
	tiles   []raster.Tile
	rects   []raster.Rect
	columns int
}

// inRow returns the range of tiles that contain pixels of row y.
func (r *readPixels) inRow(y int) (first, end int) {
	top := r.rects[0] // all tiles but those of the last row are equally high
	first = (y - top.Y0) / top.Height() * r.columns
	return first, first + r.columns
}

// read reads the pixels of a piece.
func (d *Dump) read(ctx context.Context, piece raster.Rect, bands []int) (read readPixels, err error) {
	chosen := make([]int, len(bands))
	for i, at := range bands {
		chosen[i] = d.Bands[at]
	}
	if raster.HasWindows(d.Provider, d.Level) {
		tile, err := raster.ReadWindow(ctx, d.Provider, d.Level, piece, chosen)
		return readPixels{[]raster.Tile{tile}, []raster.Rect{piece}, 1}, err
	}
	l := d.Provider.Info().Levels[d.Level]
	ids := l.Covering(piece)
	read.tiles, err = d.Provider.Blocks(ctx, d.Level, ids, chosen)
	for _, id := range ids {
		read.rects = append(read.rects, l.Block(id))
	}
	read.columns = ids[len(ids)-1].Col - ids[0].Col + 1
	return read, err
}

// writePad fills a piece with the sample that stands for missing data.
func (d *Dump) writePad(w io.WriterAt, piece raster.Rect, bands []int) error {
	row := raster.NewBuffer(d.Provider.Info().Type, piece.Width(), 1, 1)
	row.Fill(0, d.Provider.Info().Pad)
	pad := row.Freeze()
	out := rowWriter{Dump: d, w: w}
	for _, band := range bands {
		for y := piece.Y0; y < piece.Y1; y++ {
			if err := out.begin(band, piece, y); err != nil {
				return err
			}
			copy(out.row, pad.Plane(0))
		}
		if err := out.flush(); err != nil {
			return err
		}
	}
	return nil
}

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
	line := int64(band)*int64(r.Window.Height()) + int64(y-r.Window.Y0)
	offset := (line*int64(r.Window.Width()) + int64(piece.X0-r.Window.X0)) * int64(r.sampleBytes())
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

// flush writes the gathered rows unless they are all zero.
func (r *rowWriter) flush() error {
	rows := r.rows
	r.rows = r.rows[:0]
	if len(bytes.Trim(rows, "\x00")) == 0 {
		return nil
	}
	toLittleEndian(rows, r.Provider.Info().Type)
	if _, err := r.w.WriteAt(rows, r.offset); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}
