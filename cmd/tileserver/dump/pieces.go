package dump

import (
	"context"
	"io"
	"iter"
	"slices"

	"tileserver/raster"
)

// maxWindowBytes is the memory of a piece that is read as a window, at most. The memory of each is new until the
// garbage of earlier ones is collected, and the system has to provide and clear it. In blocks, a piece has to
// keep all workers busy.
const maxWindowBytes = 16 << 20

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
	room := d.Room
	if raster.HasWindows(d.Provider, d.Level) {
		room = min(room, maxWindowBytes)
	}
	blocks := max(room/d.blockBytes(bands), 1)
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
	for i, band := range bands {
		write := d.writeRows
		if d.isInOutputOrder(&read, piece) {
			write = d.writePlane
		}
		if err := write(w, &read, piece, bandAt{band, i}); err != nil {
			return err
		}
	}
	for _, tile := range read.tiles {
		d.lost.add(tile)
	}
	return nil
}

// bandAt is a band of the output, and its position in what was read.
type bandAt struct{ band, read int }

// writeRows gathers the rows of a band from tiles, and writes them.
func (d *Dump) writeRows(w io.WriterAt, read *readPixels, piece raster.Rect, at bandAt) error {
	out := rowWriter{Dump: d, w: w}
	for y := piece.Y0; y < piece.Y1; y++ {
		if err := out.begin(at.band, piece, y); err != nil {
			return err
		}
		first, end := read.inRow(y)
		for t := first; t < end; t++ {
			out.put(read.tiles[t], at.read, read.rects[t], y)
		}
	}
	return out.flush()
}

// isInOutputOrder reports whether the output has the samples of a piece in the order of its only tile.
func (d *Dump) isInOutputOrder(read *readPixels, piece raster.Rect) bool {
	return len(read.tiles) == 1 && read.rects[0] == piece && piece.Width() == d.Window.Width() && isLittleEndian(d.Provider.Info().Type)
}

// writePlane writes a band of a tile that is in the order of the output, but no zeros.
func (d *Dump) writePlane(w io.WriterAt, read *readPixels, piece raster.Rect, at bandAt) error {
	offset := d.position(at.band, piece.X0, piece.Y0)
	for part := range slices.Chunk(read.tiles[0].Plane(at.read), gatheredBytes) {
		if err := writeUnlessZero(w, part, offset); err != nil {
			return err
		}
		offset += int64(len(part))
	}
	return nil
}

// position returns the offset of a sample in the output.
func (d *Dump) position(band, x, y int) int64 {
	line := int64(band)*int64(d.Window.Height()) + int64(y-d.Window.Y0)
	return (line*int64(d.Window.Width()) + int64(x-d.Window.X0)) * int64(d.sampleBytes())
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
