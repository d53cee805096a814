package ranges

import (
	"cmp"
	"fmt"
	"slices"

	"tileserver/source"
)

// Coalesce merges ranges that are at most gapBytes apart into requests of at most maxBytes.
// requestOf is the index of the request that holds each range. Requests are sorted by offset; they
// begin and end where a range does. A request exceeds maxBytes only if a single range does. Empty
// ranges belong to no request, and their requestOf is meaningless. The ranges must be within
// bounds.
func Coalesce(ranges []source.Range, gapBytes, maxBytes int64) (requests []source.Range, requestOf []int) {
	order := make([]int, 0, len(ranges))
	for i, r := range ranges {
		if r.Length > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		// Of ranges with the same start the longest comes first, so that it contains the others.
		return cmp.Or(cmp.Compare(ranges[a].Offset, ranges[b].Offset), cmp.Compare(ranges[b].Length, ranges[a].Length))
	})

	requestOf = make([]int, len(ranges))
	for _, i := range order {
		last := len(requests) - 1
		if last >= 0 && mayMerge(requests[last], ranges[i], gapBytes, maxBytes) {
			requests[last] = span(requests[last], ranges[i])
		} else {
			requests = append(requests, ranges[i])
		}
		requestOf[i] = len(requests) - 1
	}
	return requests, requestOf
}

// mayMerge reports whether next, which does not begin before request, may be read with it. A range
// within the request always may, since it adds nothing.
func mayMerge(request, next source.Range, gapBytes, maxBytes int64) bool {
	if next.End() <= request.End() {
		return true
	}
	return next.Offset-request.End() <= gapBytes && next.End()-request.Offset <= maxBytes
}

// span returns the range from the beginning of a to the later end of a and b.
func span(a, b source.Range) source.Range {
	return source.Range{Offset: a.Offset, Length: max(a.End(), b.End()) - a.Offset}
}

// layout places requests one behind the other in one buffer. It returns the position of each and
// the total length, or source.ErrTooLarge if the total exceeds maxBytes.
func layout(requests []source.Range, maxBytes int64) (positions []int64, totalBytes int64, err error) {
	positions = make([]int64, len(requests))
	for i, request := range requests {
		if request.Length > maxBytes-totalBytes {
			return nil, 0, fmt.Errorf("%w: over %d after %d of %d reads", source.ErrTooLarge, maxBytes, i, len(requests))
		}
		positions[i] = totalBytes
		totalBytes += request.Length
	}
	return positions, totalBytes, nil
}
