package export

import (
	"image"
	"slices"

	"tileserver/internal/hilbert"
)

// shardDepth is how many levels a shard has below its root.
const shardDepth = 6

// A levelGroup is levels that shards have in common, the coarsest first. Each halves the one before it.
type levelGroup struct {
	levels    []Level
	order     int // of the first level
	rootOrder int // of the roots of the shards, which may lie above the first level
}

// levelGroups divides a grid into level groups, the coarsest first. They are counted from the finest level, where
// nearly all tiles are: what is left at the top makes one of fewer levels.
func (g Grid) levelGroups() []*levelGroup {
	orders := g.orders()
	var groups []*levelGroup
	for end := len(g); end > 0; {
		first, finest := end-1, end-1
		for first > 0 && g[first].Halves && finest-first < shardDepth {
			first--
		}
		groups = append(groups, &levelGroup{levels: g[first:end], order: orders[first], rootOrder: max(0, orders[finest]-shardDepth)})
		end = first
	}
	slices.Reverse(groups)
	return groups
}

// finest returns the last level.
func (s *levelGroup) finest() *Level { return &s.levels[len(s.levels)-1] }

// finestOrder returns the order of the last level.
func (s *levelGroup) finestOrder() int { return s.order + len(s.levels) - 1 }

// A square is a piece of the curves of a level group: one position of an order, and all that lies under it.
// The tiles of a level are ordered along a Hilbert curve, as in PMTiles. So neighbors in the order are
// neighbors on the map, which mostly read the same blocks of a file.
type square struct {
	order    int
	position uint64
}

// quarters returns the four squares of the next order, as the curve visits them.
func (q square) quarters() (quarters [4]square) {
	for i := range quarters {
		quarters[i] = square{q.order + 1, q.position<<2 | uint64(i)}
	}
	return quarters
}

// under returns the columns and rows of a finer order, or the same, under the square.
func (q square) under(order int) image.Rectangle {
	x, y := hilbert.Cell(q.order, q.position)
	finer := order - q.order
	return image.Rect(x<<finer, y<<finer, (x+1)<<finer, (y+1)<<finer)
}

// wantedUnder returns which tiles to make of level i lie under a square. Of a level above it none do.
func (s *levelGroup) wantedUnder(q square, i int) image.Rectangle {
	if s.order+i < q.order {
		return image.Rectangle{}
	}
	return q.under(s.order + i).Intersect(s.levels[i].Wanted)
}

// tilesUnder returns how many tiles are made under a square.
func (s *levelGroup) tilesUnder(q square) (count int64) {
	for i := range s.levels {
		count += area(s.wantedUnder(q, i))
	}
	return count
}

// shards calls yield for each shard with tiles to make, along the curve, until it returns false.
func (s *levelGroup) shards(yield func(shard) bool) { s.shardsUnder(square{}, yield) }

func (s *levelGroup) shardsUnder(q square, yield func(shard) bool) (goesOn bool) {
	if s.tilesUnder(q) == 0 {
		return true
	}
	if q.order == s.rootOrder {
		return yield(shard{s, q})
	}
	for _, quarter := range q.quarters() {
		if !s.shardsUnder(quarter, yield) {
			return false
		}
	}
	return true
}
