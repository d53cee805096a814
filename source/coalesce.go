package source

import (
	"cmp"
	"fmt"
	"slices"
)

// coalesce merges ranges that are at most gapBytes apart into requests of at most maxBytes, and says for each range
// which request has its bytes. Requests are in the order of their offsets; they begin and end where a range does; one is
// over maxBytes only if a single range is. Empty ranges belong to no request, and what requestOf says of them means
// nothing. The ranges must be within bounds.
func coalesce(ranges []Range, gapBytes, maxBytes int64) (requests []Range, requestOf []int) {
	order := make([]int, 0, len(ranges))
	for i, r := range ranges {
		if r.Length > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		// Of those that begin together the longest comes first, and the others are within it.
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

// mayMerge reports whether next, which does not begin before request, may be read with it. A range within the request
// always may, for it makes nothing longer.
func mayMerge(request, next Range, gapBytes, maxBytes int64) bool {
	if next.end() <= request.end() {
		return true
	}
	return next.Offset-request.end() <= gapBytes && next.end()-request.Offset <= maxBytes
}

// span returns the range from the beginning of a to the end of a or b, whichever is later.
func span(a, b Range) Range {
	return Range{Offset: a.Offset, Length: max(a.end(), b.end()) - a.Offset}
}

// layout puts requests one behind the other into one buffer: it returns where each begins and the length of the whole,
// or ErrTooLarge if that is over maxBytes.
func layout(requests []Range, maxBytes int64) (positions []int64, totalBytes int64, err error) {
	positions = make([]int64, len(requests))
	for i, request := range requests {
		if request.Length > maxBytes-totalBytes {
			return nil, 0, fmt.Errorf("%w: over %d after %d of %d reads", ErrTooLarge, maxBytes, i, len(requests))
		}
		positions[i] = totalBytes
		totalBytes += request.Length
	}
	return positions, totalBytes, nil
}
