package build

import (
	"tileserver/raster"
	"tileserver/raster/stream"
)

// Divisors of the memory: for the stream, and at most for blocks that lack halves in the order of rows.
const (
	streamPart = 2
	openPart   = 4
)

// views returns a stream with a view for each block of level 0.
func (b *builder) views() (*stream.Stream, error) {
	return stream.New(b.Source, stream.Config{
		Width: b.Levels[0].BlockWidth, Height: b.Levels[0].BlockHeight,
		Order: b.order(), Parallel: b.Workers, MaxViews: 4 * b.Workers, MaxBytes: b.Memory / streamPart,
	})
}

// order returns an order in which few blocks are in memory. Strips reach over the whole width: they are
// decoded once in rows, if all blocks above a row fit into memory. Else a quarter of the image is
// finished before the next.
func (b *builder) order() stream.Order {
	l, stored := b.Levels[0], b.info.Levels[0]
	isStrips := stored.BlockWidth >= stored.Width && stored.Width > l.BlockWidth
	if isStrips && b.rowBytes() <= b.Memory/openPart {
		return stream.Rows
	}
	return stream.Hilbert
}

// rowBytes returns about the memory of the blocks that lack halves in the order of rows: half a row of level
// 1, a quarter of it in level 2, and so on.
func (b *builder) rowBytes() int64 {
	l := b.Levels[0]
	return int64(l.Columns()) * raster.CoveredBytes(b.info.Type, l.BlockWidth, l.BlockHeight, len(b.info.Bands))
}
