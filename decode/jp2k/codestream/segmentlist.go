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
func (o *segmentList) add(body []byte) bool {
	if len(body) == 0 || len(o.indexes) == maxIndexes {
		return false
	}
	o.indexes = append(o.indexes, body[0])
	o.bodies = append(o.bodies, slices.Clone(body[1:]))
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
func (o *segmentList) join() []byte {
	var all []byte
	for _, i := range segmentOrder(o.indexes) {
		all = append(all, o.bodies[i]...)
	}
	return all
}
