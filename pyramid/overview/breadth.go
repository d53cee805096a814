package overview

import (
	"runtime"

	"tileserver/raster"
)

const (
	// maxPiecesBytes bounds the approximate memory of the pieces that are halved in parallel, unless a
	// single piece takes more.
	maxPiecesBytes = 64 << 20

	// maxBuildBytes bounds the approximate memory of a build that works on several groups in parallel.
	maxBuildBytes = 96 << 20
)

// breadth is how much a call works on at a time. Pieces that lie under one group of the first built level come
// first. Only if these are too few, several groups under one of the next level are built at a time, and so on.
type breadth struct {
	*Provider
	bands  int // that are built together
	wanted int // pieces at a time
}

// breadthOf returns the breadth of a call that builds some bands together.
func (p *Provider) breadthOf(bands int) breadth {
	if p.config.Pieces == nil {
		return breadth{p, bands, runtime.GOMAXPROCS(0)}
	}
	return breadth{p, bands, p.config.Pieces()}
}

// pieces returns how many pieces under a group of the first built level are halved at a time.
func (b breadth) pieces() int { return min(b.allPieces(), b.piecesOfGroup()) }

// below returns how many groups below one of a level are built at a time. There are about four.
func (b breadth) below(level int) int {
	return min(max(1, b.allPieces()/b.piecesOfGroup()>>(2*(level-b.native-1))), 4)
}

// groups returns how many groups of a level are built at a time, if the call is for that level, so that
// workers stay busy while a group is assembled.
func (b breadth) groups(level int) int { return b.atATime(maxBuildBytes, b.levelBytes(level)) }

// levelBytes returns the approximate memory for a group of a level, without the blocks that are cached.
func (b breadth) levelBytes(level int) (bytes int64) {
	groups := int64(1)
	for ; level > b.native; level-- {
		bytes += groups * 2 * b.groupBytes(level, b.bands) // the blocks being built, and those below them
		groups *= int64(b.below(level))
	}
	return bytes + groups*(2*b.groupBytes(level, b.bands)+int64(b.pieces())*b.pieceBytes())
}

// allPieces returns how many pieces are halved at a time.
func (b breadth) allPieces() int { return b.atATime(maxPiecesBytes, b.pieceBytes()) }

// piecesOfGroup returns how many pieces lie under a group of the first built level.
func (b breadth) piecesOfGroup() int {
	return int(b.shape.pieces(pixelBytes(&b.info, b.bands)).CountCovering(b.underGroup()))
}

// underGroup returns what lies under a group of the first built level.
func (b breadth) underGroup() raster.Rect {
	first := b.info.Levels[b.native]
	columns, rows := b.shape.group(first, 1)
	return raster.Rect{X1: 2 * columns * first.BlockWidth, Y1: 2 * rows * first.BlockHeight}.Intersect(b.shape.stored.Bounds())
}

// pieceBytes returns the approximate memory to halve a piece: its blocks, the stitched whole, and the half.
func (b breadth) pieceBytes() int64 {
	piece := b.shape.pieces(pixelBytes(&b.info, b.bands)).Block(raster.BlockID{}).Intersect(b.underGroup())
	bytes := int64(piece.Width()) * int64(piece.Height()) * pixelBytes(&b.info, b.bands)
	if stored := b.shape.stored; stored.BlockWidth%2+stored.BlockHeight%2 == 0 { // blocks are halved without stitching
		return bytes + bytes/4
	}
	return 2*bytes + bytes/4
}

// atATime returns how many items of a size are worked on at a time within a bound: at least one, and at most
// as many as pieces are wanted.
func (b breadth) atATime(maxBytes, bytes int64) int {
	return int(min(max(maxBytes/max(bytes, 1), 1), int64(b.wanted)))
}
