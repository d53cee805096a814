package codestream

import "slices"

// segmentList joins the bodies of marker segments of one kind. Each body begins with a byte that is
// its index. If indexes repeat, the segments are in order.
type segmentList struct {
	indexes []byte
	bodies  [][]byte
}

// maxIndexes is the number of segments of a kind that a byte can distinguish.
const maxIndexes = 256

// add stores a copy of a body. It returns false if there is no room for it.
func (l *segmentList) add(body []byte) bool {
	if len(body) == 0 || len(l.indexes) == maxIndexes {
		return false
	}
	l.indexes = append(l.indexes, body[0])
	l.bodies = append(l.bodies, slices.Clone(body[1:]))
	return true
}

// segmentOrder returns the order of segments, given their indexes.
func segmentOrder(indexes []byte) []int {
	order := make([]int, len(indexes))
	var seen [maxIndexes]bool
	distinct := true
	for i, index := range indexes {
		order[i] = i
		distinct = distinct && !seen[index]
		seen[index] = true
	}
	if distinct {
		slices.SortFunc(order, func(a, b int) int { return int(indexes[a]) - int(indexes[b]) })
	}
	return order
}

// join returns the concatenated bodies, or nil if there are none.
func (l *segmentList) join() []byte {
	var all []byte
	for _, i := range segmentOrder(l.indexes) {
		all = append(all, l.bodies[i]...)
	}
	return all
}
