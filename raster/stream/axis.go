package stream

import (
	"math"
	"slices"
)

// axis is one direction of a stream: how views, their halos and the blocks of the level divide it.
type axis struct {
	size, block   int // of the level, and of a block
	from, to      int // the part that views cover
	side          int // of a view
	before, after int // the halo
	fold          fold
}

// count returns the number of views.
func (a *axis) count() int { return (a.to - a.from + a.side - 1) / a.side }

// inner returns the pixels of a view, and outer those of its halo, too. The ends are exclusive.
func (a *axis) inner(view int) (start, end int) {
	start = a.from + view*a.side
	return start, min(start+a.side, a.to)
}

func (a *axis) outer(view int) (start, end int) {
	start, end = a.inner(view)
	return start - a.before, end + a.after
}

func (a *axis) runs(view int) []run {
	start, end := a.outer(view)
	return a.fold.runs(start, end, a.size)
}

// blocks returns the blocks that a view shows pixels of, in ascending order.
func (a *axis) blocks(view int) (all []int) {
	for _, r := range a.runs(view) {
		if r.isBeyond {
			continue
		}
		low, high := r.shown()
		for b := low / a.block; b*a.block < high; b++ {
			all = append(all, b)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// users returns the views that show pixels of each block.
func (a *axis) users() map[int][]int {
	users := make(map[int][]int)
	for view := range a.count() {
		for _, b := range a.blocks(view) {
			users[b] = append(users[b], view)
		}
	}
	return users
}

// most returns the largest extents of a view: its own, and that of the blocks that it shows pixels of.
func (a *axis) most() (outer, blocks, count int) {
	for view := range a.count() {
		start, end := a.outer(view)
		under, all := 0, a.blocks(view)
		for _, b := range all {
			under += min(a.block, a.size-b*a.block)
		}
		outer, blocks, count = max(outer, end-start), max(blocks, under), max(count, len(all))
	}
	return outer, blocks, count
}

// maxUses returns about how many blocks all views have together.
func (a *axis) maxUses() int {
	return int(min(float64(a.count())*(float64(min(a.side, a.to-a.from)+a.before+a.after)/float64(a.block)+2), math.MaxInt32))
}
