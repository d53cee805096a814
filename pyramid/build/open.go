package build

import (
	"sync"

	"tileserver/raster"
)

// openBlocks are the blocks of a level that lack halves of blocks below.
type openBlocks struct {
	mu     sync.Mutex
	blocks map[raster.BlockID]*openBlock
}

// An openBlock is a block that lacks halves.
type openBlock struct {
	mu      sync.Mutex
	pixels  *raster.Stitcher
	missing int // halves
}

// openBlock returns a block that lacks halves. The first that asks for it begins it.
func (b *builder) openBlock(level int, id raster.BlockID) *openBlock {
	all := &b.open[level]
	all.mu.Lock()
	defer all.mu.Unlock()
	if found := all.blocks[id]; found != nil {
		return found
	}
	rect, below := b.Levels[level].Block(id), &b.Levels[level-1]
	begun := &openBlock{
		pixels:  raster.NewStitcher(b.info.Type, rect, len(b.info.Bands)),
		missing: (min(2*id.Col+2, below.Columns()) - 2*id.Col) * (min(2*id.Row+2, below.Rows()) - 2*id.Row),
	}
	if all.blocks == nil {
		all.blocks = make(map[raster.BlockID]*openBlock)
	}
	all.blocks[id] = begun
	return begun
}

func (o *openBlocks) remove(id raster.BlockID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.blocks, id)
}

// put puts the half of a block below, which lies in a rectangle there. After the last one it returns the
// whole block.
func (o *openBlock) put(half raster.Tile, below raster.Rect) (whole raster.Tile, isComplete bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	x, y := below.X0/2, below.Y0/2
	o.pixels.Put(half, raster.Rect{X0: x, Y0: y, X1: x + half.Width(), Y1: y + half.Height()})
	if o.missing--; o.missing > 0 {
		return raster.Tile{}, false
	}
	return o.pixels.Freeze(), true
}
