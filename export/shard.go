package export

import (
	"fmt"

	"tileserver/archive"
	"tileserver/internal/hilbert"
)

// A shard is the tiles of a level group under one square.
type shard struct {
	*levelGroup
	root square
}

// name returns the name of the file of the shard: the zoom of the finest level, and which square of it.
func (s shard) name() string {
	x, y := hilbert.Cell(s.root.order, s.root.position)
	return fmt.Sprintf("%d-%d-%d", s.finest().Zoom, x, y)
}

// tiles returns how many tiles are made.
func (s shard) tiles() int64 { return s.tilesUnder(s.root) }

// batchDepth is how many levels of a shard a batch has below its coarsest tile. Tiles in blocks of the
// usual size share blocks with the others of a batch, and workers hardly with each other.
const batchDepth = 2

// batches calls yield for each batch until it returns false. The order is that of the curve at the finest
// level. A coarser tile comes when its four parts are done: it shows the same place, so a provider
// that builds it from them still has them.
func (s shard) batches(yield func([]archive.Position) bool) {
	w := walk{shard: s, yield: yield}
	if w.over(s.root) {
		w.flush()
	}
}

// A walk collects the tiles of a shard into batches.
type walk struct {
	shard
	yield func([]archive.Position) bool
	batch []archive.Position
}

// over walks over the tiles under a square, then the square itself, and reports whether to go on.
func (w *walk) over(q square) (goesOn bool) {
	if w.tilesUnder(q) == 0 {
		return true
	}
	if q.order < w.finestOrder() {
		for _, quarter := range q.quarters() {
			if !w.over(quarter) {
				return false
			}
		}
	}
	if i := q.order - w.order; i >= 0 && !w.wantedUnder(q, i).Empty() {
		x, y := hilbert.Cell(q.order, q.position)
		w.batch = append(w.batch, archive.Position{Zoom: uint8(w.levels[i].Zoom), X: uint32(x), Y: uint32(y)})
	}
	return q.order > w.finestOrder()-batchDepth || w.flush()
}

// flush ends a batch.
func (w *walk) flush() (goesOn bool) {
	batch := w.batch
	w.batch = nil
	return len(batch) == 0 || w.yield(batch)
}
