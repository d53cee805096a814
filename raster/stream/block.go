package stream

import (
	"container/heap"
	"slices"

	"tileserver/raster"
)

// A block of the level, which is read for the views that need it.
type block struct {
	id    raster.BlockID
	uses  []int32 // ranks of the views that need it and are not planned yet, ascending
	users int     // views in flight that need it
	bytes int64   // that are reserved for it
	place int     // among idle blocks, or -1

	done chan struct{} // of its batch; closed when it was read, which sets the fields below
	tile raster.Tile   // zero if no pixel is stored
	err  error
}

// newBlock returns a block that was not read.
func (s *Stream) newBlock(id raster.BlockID) *block {
	rect := s.level.Block(id)
	return &block{id: id, place: -1, bytes: s.pixelBytes(rect.Width(), rect.Height()) + blockOverheadBytes}
}

// usesOf returns the ranks of the views that need a block, in ascending order.
func (s *Stream) usesOf(id raster.BlockID) (uses []int32) {
	for _, row := range s.usersY[id.Row] {
		for _, column := range s.usersX[id.Col] {
			if rank, isIn := s.rank(Position{column, row}); isIn {
				uses = append(uses, rank)
			}
		}
	}
	slices.Sort(uses)
	return uses
}

// isIdle reports whether b is kept for views to come alone.
func (b *block) isIdle() bool { return b.place >= 0 }

// nextUse returns the rank of the next view that needs b, which there must be.
func (b *block) nextUse() int32 { return b.uses[0] }

// idleBlocks is a heap of blocks that no view in flight needs. The first is needed last.
type idleBlocks struct {
	blocks []*block
	bytes  int64
}

var _ heap.Interface = (*idleBlocks)(nil)

func (h *idleBlocks) Len() int           { return len(h.blocks) }
func (h *idleBlocks) Less(i, j int) bool { return h.blocks[i].nextUse() > h.blocks[j].nextUse() }

func (h *idleBlocks) Swap(i, j int) {
	h.blocks[i], h.blocks[j] = h.blocks[j], h.blocks[i]
	h.blocks[i].place, h.blocks[j].place = i, j
}

// Push and Pop are called by package heap alone.
func (h *idleBlocks) Push(b any) {
	added := b.(*block)
	added.place = len(h.blocks)
	h.blocks = append(h.blocks, added)
}

func (h *idleBlocks) Pop() any {
	last := len(h.blocks) - 1
	b := h.blocks[last]
	h.blocks[last] = nil
	h.blocks = h.blocks[:last]
	return b
}

func (h *idleBlocks) add(b *block) {
	heap.Push(h, b)
	h.bytes += b.bytes
}

func (h *idleBlocks) remove(b *block) {
	heap.Remove(h, b.place)
	h.bytes -= b.bytes
	b.place = -1
}

// last returns the block that is needed last, or nil.
func (h *idleBlocks) last() *block {
	if len(h.blocks) == 0 {
		return nil
	}
	return h.blocks[0]
}
