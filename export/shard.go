package export

import (
	"fmt"

	"tileserver/archive"
	"tileserver/internal/hilbert"
)

// A shard is the tiles of a stratum under one square.
type shard struct {
	*stratum
	root square
}

// name returns the name of the file of the shard: the zoom of the finest level, and which square of it.
func (s shard) name() string {
	x, y := hilbert.Cell(s.root.order, s.root.position)
	return fmt.Sprintf("%d-%d-%d", s.finest().Zoom, x, y)
}

// tiles returns how many tiles are made.
func (s shard) tiles() int64 { return s.tilesUnder(s.root) }

// runDepth is how many levels of a shard a run has below its coarsest tile. Tiles in blocks of the
// usual size share blocks with the others of a run, and workers hardly with each other.
const runDepth = 2

// runs calls yield for each run until it returns false. The order is that of the curve at the finest
// level. A coarser tile comes when its four parts are done: it shows the same place, so a provider
// that builds it from them still has them.
func (s shard) runs(yield func([]archive.Position) bool) {
	w := walk{shard: s, yield: yield}
	if w.over(s.root) {
		w.flush()
	}
}

// A walk collects the tiles of a shard into runs.
type walk struct {
	shard
	yield func([]archive.Position) bool
	run   []archive.Position
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
		w.run = append(w.run, archive.Position{Zoom: uint8(w.levels[i].Zoom), X: uint32(x), Y: uint32(y)})
	}
	return q.order > w.finestOrder()-runDepth || w.flush()
}

// flush ends a run.
func (w *walk) flush() (goesOn bool) {
	run := w.run
	w.run = nil
	return len(run) == 0 || w.yield(run)
}
