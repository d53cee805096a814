package overview

import (
	"math/bits"

	"tileserver/raster"
)

// shape determines the blocks of built levels. Whole source blocks should lie under a built
// block. All built blocks over one source block should be built together, since otherwise the
// source block would be decoded repeatedly: a strip lies under all blocks of a row. The shape
// depends only on what is stored.
type shape struct {
	stored     raster.Level // the level that the first built level halves
	pixelBytes int64

	sideX, sideY     int // preferred sides of built blocks
	extentX, extentY int // size of a group in stored pixels; 0 means one block
}

func newShape(info *raster.Info, size int) shape {
	stored := info.Levels[len(info.Levels)-1]
	size += size & 1 // a block must begin at an even pixel of the finer level
	runWidth := stored.Runs().BlockWidth
	s := shape{
		stored: stored, pixelBytes: pixelBytes(info, len(info.Bands)),
		sideX: blockSide(runWidth, stored.Width, size),
		sideY: blockSide(stored.BlockHeight, stored.Height, size),
	}
	s.extentX = sharedExtent(runWidth, stored.Width, s.sideX)
	s.extentY = sharedExtent(stored.BlockHeight, stored.Height, s.sideY)
	return s
}

// pixelBytes returns the bytes of a pixel with its coverage.
func pixelBytes(info *raster.Info, bands int) int64 { return int64(bands)*int64(info.Type.Size()) + 1 }

// blockSide returns the side of built blocks, about size, such that whole source blocks lie
// under a built block unless they are larger than it.
func blockSide(sourceSide, levelSide, size int) int {
	if sourceSide >= levelSide || sourceSide > 2*size {
		return size
	}
	side := 2 * (sourceSide >> bits.TrailingZeros(uint(sourceSide)))
	for 2*side <= size {
		side *= 2
	}
	return side
}

// sharedExtent returns the side, in stored pixels, of the area under built blocks that share a
// source block. It returns 0 if built blocks share none.
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
	// maxGroupBytes is the target maximum for the blocks of a group. Blocks over strips are made
	// less high to meet it.
	maxGroupBytes = 4 << 20

	minBlockSide = 8
)

// level returns the built level after the given number of halvings.
func (s *shape) level(finer raster.Level, halvings int) raster.Level {
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

// mayHalve reports whether half a block side still covers whole source blocks.
func mayHalve(side, sourceSide int) bool {
	return side >= 2*minBlockSide && side%4 == 0 && side%sourceSide == 0
}

// group returns the size of a group of a built level in columns and rows of blocks.
func (s *shape) group(l raster.Level, halvings int) (columns, rows int) {
	return max(1, s.extentX>>halvings/l.BlockWidth), max(1, s.extentY>>halvings/l.BlockHeight)
}

func (s *shape) groupBytes(l raster.Level, halvings int, pixelBytes int64) int64 {
	columns, rows := s.group(l, halvings)
	return int64(min(columns*l.BlockWidth, l.Width)) * int64(min(rows*l.BlockHeight, l.Height)) * pixelBytes
}

// pieceBytes is the approximate size of a piece.
const pieceBytes = 2 << 20

// pieces returns a grid that divides the stored level into pieces of whole blocks. The pieces can
// be halved independently.
func (s *shape) pieces(pixelBytes int64) raster.Level {
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
