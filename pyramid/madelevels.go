package pyramid

import (
	"math/bits"

	"tileserver/raster"
)

// madeShape is how made levels are cut. What is under a made block should be whole
// blocks of the source, and what is under one block of the source should be made
// in one go, or that would be decoded again and again: a strip lies under all
// blocks of a row. It follows from what is stored and from nothing else.
type madeShape struct {
	stored     raster.Level // what the first made level is half of
	pixelBytes int64

	sideX, sideY     int // of made blocks, where they need not be smaller
	extentX, extentY int // in stored pixels, of what is made in one go; 0 where that is one block
}

func newMadeShape(info *raster.Info, size int) madeShape {
	stored := info.Levels[len(info.Levels)-1]
	size += size & 1 // a block begins at an even pixel of the level below it
	runWidth := stored.Runs().BlockWidth
	s := madeShape{
		stored: stored, pixelBytes: pixelBytes(info, len(info.Bands)),
		sideX: madeSide(runWidth, stored.Width, size),
		sideY: madeSide(stored.BlockHeight, stored.Height, size),
	}
	s.extentX = sharedExtent(runWidth, stored.Width, s.sideX)
	s.extentY = sharedExtent(stored.BlockHeight, stored.Height, s.sideY)
	return s
}

// pixelBytes returns what a pixel takes with its coverage.
func pixelBytes(info *raster.Info, bands int) int64 { return int64(bands)*int64(info.Type.Size()) + 1 }

// madeSide returns the side of made blocks, about size, under which whole blocks of the
// source lie, if those are not larger than that.
func madeSide(sourceSide, levelSide, size int) int {
	if sourceSide >= levelSide || sourceSide > 2*size {
		return size
	}
	side := 2 * (sourceSide >> bits.TrailingZeros(uint(sourceSide)))
	for 2*side <= size {
		side *= 2
	}
	return side
}

// sharedExtent returns how many stored pixels are under the made blocks that share a
// block of the source; 0 where they share none.
func sharedExtent(sourceSide, levelSide, side int) int {
	extent := 2 * side
	for extent < min(sourceSide, levelSide) {
		extent *= 2
	}
	if extent == 2*side {
		return 0
	}
	return extent
}

const (
	// maxGroupBytes is what the blocks that are made in one go should take: those
	// under strips are made less high until they do.
	maxGroupBytes = 4 << 20

	minMadeSide = 8
)

// level returns the made level that is so many times half of what is stored.
func (s *madeShape) level(finer raster.Level, halvings int) raster.Level {
	l := raster.Level{
		Width: (finer.Width + 1) / 2, Height: (finer.Height + 1) / 2,
		BlockWidth: s.sideX, BlockHeight: s.sideY,
		ScaleX: 2 * finer.ScaleX, ScaleY: 2 * finer.ScaleY,
		OffsetX: finer.OffsetX, OffsetY: finer.OffsetY,
	}
	wide, tall := s.extentX>>halvings > l.BlockWidth, s.extentY>>halvings > l.BlockHeight
	for wide && !tall && s.groupBytes(l, halvings, s.pixelBytes) > maxGroupBytes && mayHalve(l.BlockHeight, s.stored.BlockHeight) {
		l.BlockHeight /= 2
	}
	for tall && !wide && s.groupBytes(l, halvings, s.pixelBytes) > maxGroupBytes && mayHalve(l.BlockWidth, s.stored.BlockWidth) {
		l.BlockWidth /= 2
	}
	return l
}

// mayHalve reports whether half a side has whole blocks of the source under it.
func mayHalve(side, sourceSide int) bool {
	return side >= 2*minMadeSide && side%4 == 0 && side%sourceSide == 0
}

// group returns how many blocks of a made level, in columns and rows, are made in one go.
func (s *madeShape) group(l raster.Level, halvings int) (columns, rows int) {
	return max(1, s.extentX>>halvings/l.BlockWidth), max(1, s.extentY>>halvings/l.BlockHeight)
}

func (s *madeShape) groupBytes(l raster.Level, halvings int, pixelBytes int64) int64 {
	columns, rows := s.group(l, halvings)
	return int64(min(columns*l.BlockWidth, l.Width)) * int64(min(rows*l.BlockHeight, l.Height)) * pixelBytes
}

// pieceBytes is about how much of what is stored is read and halved at a time.
const pieceBytes = 2 << 20

// pieces cuts what is stored into pieces of whole blocks that can be halved each
// by itself.
func (s *madeShape) pieces(pixelBytes int64) raster.Level {
	p := s.stored.Runs()
	p.BlockWidth <<= p.BlockWidth & 1
	p.BlockHeight <<= p.BlockHeight & 1
	bytes := func() int64 { return int64(min(p.BlockWidth, p.Width)) * int64(p.BlockHeight) * pixelBytes }
	for p.BlockWidth < p.Width && 2*bytes() <= pieceBytes {
		p.BlockWidth *= 2
	}
	for p.BlockHeight < p.Height && 2*bytes() <= pieceBytes {
		p.BlockHeight *= 2
	}
	return p
}
