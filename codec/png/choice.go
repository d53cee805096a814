package png

import (
	"math/bits"

	"tileserver/internal/reuse"
)

// repeatingFilter returns the filter that leaves the fewest distinct pairs of neighboring pixels,
// and their number. Fewer distinct pairs mean more matches. A later filter is only chosen if it
// leaves less than percent of the pairs of the best one before.
func (e *Encoder) repeatingFilter(percent int, kinds ...filter) (best filter, minPairs int) {
	for i, kind := range kinds {
		pairs := e.pairsAfter(kind)
		if i == 0 || pairs*100 < minPairs*percent {
			best, minPairs = kind, pairs
		}
	}
	return best, minPairs
}

func (e *Encoder) pairsAfter(kind filter) int {
	var pairs set
	bytesPerPixel := e.encoding.bytesPerPixel
	e.sampleRows(2, func(row, above []byte) {
		filtered := e.filterInto(kind, row, above)
		previous := uint64(0)
		for x := bytesPerPixel; x+bytesPerPixel <= len(filtered); x += bytesPerPixel {
			pixel := pixelValue(filtered[x : x+bytesPerPixel])
			pairs.add(pixel ^ bits.RotateLeft64(previous, 13))
			previous = pixel
		}
	})
	return pairs.size
}

// shortestFilter returns the filter for which a Huffman code of single bytes is shortest.
func (e *Encoder) shortestFilter() filter {
	best, maxSavings := filterPaeth, -1
	for _, kind := range [...]filter{filterPaeth, filterSub, filterUp, filterMean} {
		var counts histogram
		e.sampleRows(4, func(row, above []byte) { counts.add(e.filterInto(kind, row, above)) })
		if savings := counts.savings(); savings > maxSavings {
			best, maxSavings = kind, savings
		}
	}
	return best
}

// filterInto returns a filtered row. The result is valid until the next call.
func (e *Encoder) filterInto(kind filter, row, above []byte) []byte {
	e.filtered = reuse.Slice(e.filtered, 1+len(row))
	filterRow(e.filtered, kind, row, above, e.encoding.bytesPerPixel)
	return e.filtered[1:]
}

type histogram [256]uint32

func (h *histogram) add(data []byte) {
	for _, value := range data {
		h[value]++
	}
}

// savings returns a measure of how much a Huffman code saves over a code of equal lengths. It is
// the sum of all counts times their logarithms, in integers so that it is the same on every
// machine.
func (h *histogram) savings() int {
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
