package png

import "math/bits"

// repeatingFilter returns the filter that leaves the fewest different pairs of neighbouring pixels, and their number: the
// fewer there are, the more matches. A filter is preferred to those after it, unless one has less than so many percent
// of its pairs.
func (e *Encoder) repeatingFilter(percent int, kinds ...filter) (best filter, fewest int) {
	for i, kind := range kinds {
		pairs := e.pairsAfter(kind)
		if i == 0 || pairs*100 < fewest*percent {
			best, fewest = kind, pairs
		}
	}
	return best, fewest
}

func (e *Encoder) pairsAfter(kind filter) int {
	var pairs set
	bytesPerPixel := e.wire.bytesPerPixel
	e.sampleRows(2, func(row, above []byte) {
		filtered := e.filterInto(kind, row, above)
		before := uint64(0)
		for x := bytesPerPixel; x+bytesPerPixel <= len(filtered); x += bytesPerPixel {
			pixel := pixelValue(filtered[x : x+bytesPerPixel])
			pairs.add(pixel ^ bits.RotateLeft64(before, 13))
			before = pixel
		}
	})
	return pairs.size
}

// shortestFilter returns the filter after which a code of bytes alone is shortest.
func (e *Encoder) shortestFilter() filter {
	best, most := filterPaeth, -1
	for _, kind := range [...]filter{filterPaeth, filterSub, filterUp, filterMean} {
		var counts histogram
		e.sampleRows(4, func(row, above []byte) { counts.add(e.filterInto(kind, row, above)) })
		if spared := counts.spared(); spared > most {
			best, most = kind, spared
		}
	}
	return best
}

// filterInto returns a filtered row, which is valid until the next.
func (e *Encoder) filterInto(kind filter, row, above []byte) []byte {
	e.filtered = sized(e.filtered, 1+len(row))
	filterRow(e.filtered, kind, row, above, e.wire.bytesPerPixel)
	return e.filtered[1:]
}

type histogram [256]uint32

func (h *histogram) add(data []byte) {
	for _, value := range data {
		h[value]++
	}
}

// spared tells how much shorter than a code of equal lengths one by frequencies is, as far as that depends on them: the
// sum of all counts times their logarithms, as integers, which are the same on every machine.
func (h *histogram) spared() int {
	sum := 0
	for _, count := range h {
		if count > 0 {
			whole := bits.Len32(count) - 1
			fraction := int(count<<8>>whole) - 1<<8
			sum += int(count) * (whole<<8 + fraction)
		}
	}
	return sum
}
