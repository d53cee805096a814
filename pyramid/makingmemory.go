package pyramid

import "runtime"

// maxPiecesBytes is about the memory for the pieces of what is stored that are
// halved at a time, if one alone does not take more.
const maxPiecesBytes = 64 << 20

// MakingBytes is about the memory that it takes to make blocks of a level with so
// many bands, beside what is kept of them.
func (d *Downsampled) MakingBytes(level, bands int) int64 {
	if level < d.native {
		return 0
	}
	bytes := int64(d.piecesAtATime(bands)) * d.pieceBytes(bands)
	for l := d.native; l <= level; l++ {
		bytes += 2 * d.groupBytes(l, bands) // those in the making, and those below them
	}
	return bytes
}

// groupBytes returns what the blocks take that are made in one go.
func (d *Downsampled) groupBytes(level, bands int) int64 {
	return d.shape.groupBytes(d.info.Levels[level], d.halvings(level), pixelBytes(&d.info, bands))
}

// pieceBytes is about what it takes to halve a piece of what is stored: its blocks,
// the whole that they are put together to, and the half.
func (d *Downsampled) pieceBytes(bands int) int64 {
	piece := d.shape.pieces(pixelBytes(&d.info, bands))
	bytes := int64(min(piece.BlockWidth, piece.Width)) * int64(min(piece.BlockHeight, piece.Height)) * pixelBytes(&d.info, bands)
	if stored := d.shape.stored; stored.BlockWidth%2+stored.BlockHeight%2 == 0 { // nothing needs to be put together
		return bytes + bytes/4
	}
	return 2*bytes + bytes/4
}

func (d *Downsampled) piecesAtATime(bands int) int {
	return atATime(maxPiecesBytes, d.pieceBytes(bands))
}

// atATime returns how many things of a size are worked on at a time within a bound: one,
// if that alone takes more, and no more than there are processors.
func atATime(maxBytes, bytes int64) int {
	return int(min(max(maxBytes/max(bytes, 1), 1), int64(runtime.GOMAXPROCS(0))))
}
