package disktier

import (
	"cmp"
	"slices"

	"tileserver/source"
)

// maxReadBytes bounds the blocks of a read. One that touches more is left to the object, which has a limit
// of its own.
const maxReadBytes = 256 << 20

// run is blocks side by side, from the first to before the end.
type run struct{ first, end int64 }

// touched returns the blocks that ranges touch, in order, unless they are too many. The ranges must be within
// bounds.
func touched(ranges []source.Range) (numbers []int64, ok bool) {
	runs := make([]run, 0, len(ranges))
	for _, r := range ranges {
		if r.Length > 0 {
			runs = append(runs, run{r.Offset / blockBytes, (r.End()-1)/blockBytes + 1})
		}
	}
	slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(a.first, b.first) })
	count, next := int64(0), int64(0)
	for i := range runs {
		runs[i].first = max(runs[i].first, next)
		runs[i].end = max(runs[i].end, runs[i].first)
		count, next = count+runs[i].end-runs[i].first, runs[i].end
		if count > maxReadBytes/blockBytes {
			return nil, false
		}
	}
	numbers = make([]int64, 0, count)
	for _, r := range runs {
		for number := r.first; number < r.end; number++ {
			numbers = append(numbers, number)
		}
	}
	return numbers, true
}

// joined joins blocks that lie side by side. The numbers are in order.
func joined(numbers []int64) (runs []run) {
	for _, number := range numbers {
		if last := len(runs) - 1; last >= 0 && runs[last].end == number {
			runs[last].end++
		} else {
			runs = append(runs, run{number, number + 1})
		}
	}
	return runs
}

// within returns the bytes of a run in an object of a size. Only the last block may be shorter than others.
func (r run) within(size int64) source.Range {
	offset := r.first * blockBytes
	return source.Range{Offset: offset, Length: min(r.end*blockBytes, size) - offset}
}

// divide divides the bytes of a run into its blocks. Each has the capacity to hold those behind it.
func (r run) divide(bytes []byte, into map[int64][]byte) {
	for number := r.first; number < r.end; number++ {
		length := min(blockBytes, len(bytes))
		into[number], bytes = bytes[:length], bytes[length:]
	}
}

// part returns the bytes of a range from the blocks that it touches. It copies none if the blocks lie side by
// side in memory.
func part(r source.Range, blocks map[int64][]byte) []byte {
	if r.Length == 0 {
		return []byte{}
	}
	number := r.Offset / blockBytes
	found := blocks[number][r.Offset-number*blockBytes:]
	for int64(len(found)) < r.Length {
		number++
		if !isContinued(found, blocks[number]) {
			return assembled(r, blocks)
		}
		found = found[:len(found)+len(blocks[number])]
	}
	return found[:r.Length:r.Length]
}

// isContinued reports whether one slice lies behind another one in memory.
func isContinued(a, b []byte) bool {
	return cap(a)-len(a) >= len(b) && &a[:len(a)+1][len(a)] == &b[0]
}

// assembled copies the bytes of a range.
func assembled(r source.Range, blocks map[int64][]byte) []byte {
	bytes := make([]byte, 0, r.Length)
	for offset := r.Offset; offset < r.End(); {
		number := offset / blockBytes
		block := blocks[number][offset-number*blockBytes:]
		bytes = append(bytes, block[:min(int64(len(block)), r.End()-offset)]...)
		offset += int64(len(block))
	}
	return bytes[:len(bytes):len(bytes)]
}
