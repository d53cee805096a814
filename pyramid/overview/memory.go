package overview

import (
	"cmp"
	"runtime"

	"tileserver/raster"
)

// maxPiecesBytes bounds the approximate memory of the pieces that are halved in parallel, unless a
// single piece takes more.
const maxPiecesBytes = 64 << 20

// LevelBuildBytes returns the approximate memory, in bytes, for building blocks of a level with the
// given bands. It excludes the blocks that are cached.
func (p *Provider) LevelBuildBytes(level int, bands []int) (bytes int64) {
	if level < p.native {
		return 0
	}
	for _, set := range p.setsOf(bands) {
		all, _ := p.withAlpha(set)
		bytes = max(bytes, p.levelBuildBytes(level, len(all))) // one after the other
	}
	return bytes
}

// LoadBytes returns the approximate memory, in bytes, for loading saved blocks of a level with the given
// bands: the blocks with all bands that are saved together, and the file of one.
func (p *Provider) LoadBytes(level int, ids []raster.BlockID, bands []int) (bytes int64) {
	largest := int64(0)
	for _, set := range p.setsOf(bands) {
		all, _ := p.withAlpha(set)
		for _, id := range ids {
			block := p.info.Levels[level].Block(id)
			one := int64(block.Width()) * int64(block.Height()) * pixelBytes(&p.info, len(all))
			bytes, largest = bytes+one, max(largest, one)
		}
	}
	return bytes + largest
}

// levelBuildBytes is LevelBuildBytes for a number of bands that are built together.
func (p *Provider) levelBuildBytes(level, bands int) int64 {
	bytes := int64(p.parallelPieces(bands)) * p.pieceBytes(bands)
	for l := p.native; l <= level; l++ {
		bytes += 2 * p.groupBytes(l, bands) // the blocks being built, and those below them
	}
	return bytes
}

// groupBytes returns the size of a group of blocks.
func (p *Provider) groupBytes(level, bands int) int64 {
	return p.shape.groupBytes(p.info.Levels[level], p.halvings(level), pixelBytes(&p.info, bands))
}

// pieceBytes returns the approximate memory to halve a piece: its blocks, the stitched whole, and
// the half.
func (p *Provider) pieceBytes(bands int) int64 {
	piece := p.shape.pieces(pixelBytes(&p.info, bands))
	bytes := int64(min(piece.BlockWidth, piece.Width)) * int64(min(piece.BlockHeight, piece.Height)) * pixelBytes(&p.info, bands)
	if stored := p.shape.stored; stored.BlockWidth%2+stored.BlockHeight%2 == 0 { // blocks are halved without stitching
		return bytes + bytes/4
	}
	return 2*bytes + bytes/4
}

func (p *Provider) parallelPieces(bands int) int {
	return p.parallelism(maxPiecesBytes, p.pieceBytes(bands))
}

// parallelism returns how many items of a size can be processed in parallel within a bound: at
// least one, and at most one for each worker, since the others would only hold memory while they
// wait.
func (p *Provider) parallelism(maxBytes, bytes int64) int {
	return int(min(max(maxBytes/max(bytes, 1), 1), int64(cmp.Or(p.config.Workers, runtime.GOMAXPROCS(0)))))
}
