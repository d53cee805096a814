package source

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCoalesce(t *testing.T) {
	const gap, limit = 10, 100
	tests := []struct {
		name          string
		ranges        []Range
		wantRequests  []Range
		wantRequestOf []int
	}{
		{"none", nil, nil, []int{}},
		{"one", []Range{{5, 7}}, []Range{{5, 7}}, []int{0}},
		{"touching", []Range{{5, 7}, {12, 3}}, []Range{{5, 10}}, []int{0, 0}},
		{"just near", []Range{{0, 5}, {15, 5}}, []Range{{0, 20}}, []int{0, 0}},
		{"just too far", []Range{{0, 5}, {16, 5}}, []Range{{0, 5}, {16, 5}}, []int{0, 1}},
		{"backwards", []Range{{200, 5}, {16, 5}, {0, 8}}, []Range{{0, 21}, {200, 5}}, []int{1, 0, 0}},
		{"a chain", []Range{{0, 5}, {14, 5}, {28, 5}, {42, 5}}, []Range{{0, 47}}, []int{0, 0, 0, 0}},
		{"as long as may be", []Range{{0, 50}, {50, 50}}, []Range{{0, 100}}, []int{0, 0}},
		{"too long together", []Range{{0, 50}, {50, 51}}, []Range{{0, 50}, {50, 51}}, []int{0, 1}},
		{"too long alone", []Range{{3, 500}, {503, 1}, {20, 30}}, []Range{{3, 500}, {503, 1}}, []int{0, 1, 0}},
		{"overlapping", []Range{{0, 20}, {10, 30}}, []Range{{0, 40}}, []int{0, 0}},
		{"overlapping, too long together", []Range{{0, 60}, {50, 60}}, []Range{{0, 60}, {50, 60}}, []int{0, 1}},
		{"within another", []Range{{0, 40}, {10, 5}, {41, 2}}, []Range{{0, 43}}, []int{0, 0, 0}},
		{"twice", []Range{{7, 9}, {300, 1}, {7, 9}}, []Range{{7, 9}, {300, 1}}, []int{0, 1, 0}},
		{"same begin, the shorter first", []Range{{7, 2}, {7, 9}}, []Range{{7, 9}}, []int{0, 0}},
		{"same begin, both too long", []Range{{7, 200}, {7, 300}}, []Range{{7, 300}}, []int{0, 0}},
		{"empty ranges are no requests", []Range{{50, 0}, {7, 9}, {0, 0}}, []Range{{7, 9}}, []int{0, 0, 0}},
		{"at the far end", []Range{{math.MaxInt64 - 5, 5}, {math.MaxInt64 - 20, 10}}, []Range{{math.MaxInt64 - 20, 20}}, []int{0, 0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			requests, requestOf := coalesce(test.ranges, gap, limit)
			if !slices.Equal(requests, test.wantRequests) || !slices.Equal(requestOf, test.wantRequestOf) {
				t.Errorf("got %v, %v; want %v, %v", requests, requestOf, test.wantRequests, test.wantRequestOf)
			}
		})
	}
}

func TestLayout(t *testing.T) {
	tests := []struct {
		name          string
		requests      []Range
		maxBytes      int64
		wantPositions []int64
		wantTotal     int64
		wantErr       error
	}{
		{"none", nil, 10, []int64{}, 0, nil},
		{"one behind the other", []Range{{100, 3}, {200, 5}, {300, 2}}, 10, []int64{0, 3, 8}, 10, nil},
		{"one byte over", []Range{{100, 3}, {200, 5}, {300, 3}}, 10, nil, 0, ErrTooLarge},
		{"sum overflows", []Range{{0, math.MaxInt64}, {1, math.MaxInt64 - 1}, {2, 9}}, math.MaxInt64, nil, 0, ErrTooLarge},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			positions, total, err := layout(test.requests, test.maxBytes)
			if !slices.Equal(positions, test.wantPositions) || total != test.wantTotal || !errors.Is(err, test.wantErr) {
				t.Errorf("got %v, %d, %v; want %v, %d, %v", positions, total, err, test.wantPositions, test.wantTotal, test.wantErr)
			}
		})
	}
}

// fuzzRanges converts bytes to ranges within size bytes, five bytes for each range.
func fuzzRanges(raw []byte, size int64) []Range {
	var ranges []Range
	for ; len(raw) >= 5 && len(ranges) < 200; raw = raw[5:] {
		offset := int64(binary.LittleEndian.Uint32(raw)) % (size + 1)
		length := int64(raw[3])<<(raw[4]%12) + int64(raw[4]>>4)
		ranges = append(ranges, Range{offset, min(length, size-offset)})
	}
	return ranges
}

func FuzzCoalesce(f *testing.F) {
	f.Add([]byte{}, uint16(0), uint16(0))
	f.Add([]byte("aaaaabaaaacaaaadaaaa"), uint16(4), uint16(300))
	f.Add([]byte{0, 0, 0, 9, 1, 20, 0, 0, 9, 1, 20, 0, 0, 0, 0, 255, 255, 255, 255, 12}, uint16(1), uint16(1000))
	data := make([]byte, 10_007)
	random := rand.New(rand.NewPCG(1, 1))
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	f.Fuzz(func(t *testing.T, raw []byte, gapBytes, maxBytes uint16) {
		ranges := fuzzRanges(raw, int64(len(data)))
		gap, limit := int64(gapBytes), int64(maxBytes)
		requests, requestOf := coalesce(ranges, gap, limit)
		checkCover(t, ranges, requests, requestOf)
		checkRequests(t, ranges, requests, gap, limit)

		g := newRangeReader(int64(len(data)), Options{
			MergeGapBytes: gap, MaxMergedBytes: limit, MaxBytesPerCall: 1 << 30, ParallelReads: 3,
		}, func(_ context.Context, dst []byte, offset int64) error {
			copy(dst, data[offset:])
			return nil
		})
		got, err := g.readRanges(t.Context(), ranges)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range ranges {
			if want := data[r.Offset:r.end()]; !bytes.Equal(got[i], want) || got[i] == nil || cap(got[i]) != len(want) {
				t.Errorf("range %d (%v) of %v: wrong bytes, or room for %d", i, r, ranges, cap(got[i]))
			}
		}
	})
}

// checkCover fails unless each range lies in its request.
func checkCover(t *testing.T, ranges, requests []Range, requestOf []int) {
	for i, r := range ranges {
		if r.Length == 0 {
			continue
		}
		if request := requests[requestOf[i]]; r.Offset < request.Offset || r.end() > request.end() {
			t.Errorf("range %v is not in its request %v", r, request)
		}
	}
}

// checkRequests fails if a request reads more than ranges and permitted gaps, if merging made it
// too long, or if neighboring requests could have merged.
func checkRequests(t *testing.T, ranges, requests []Range, gap, limit int64) {
	for i, request := range requests {
		if request.Length > limit && !slices.Contains(ranges, request) {
			t.Errorf("request %v is over %d bytes, and no range is that long", request, limit)
		}
		if i > 0 && request.Offset <= requests[i-1].Offset {
			t.Errorf("request %v comes behind %v", request, requests[i-1])
		}
		if i > 0 && request.Offset-requests[i-1].end() <= gap && request.end()-requests[i-1].Offset <= limit {
			t.Errorf("requests %v and %v are near, and apart", requests[i-1], request)
		}
		if longest := longestGap(ranges, request); longest > gap {
			t.Errorf("request %v reads %d bytes in a row that no range covers", request, longest)
		}
	}
}

// longestGap returns the longest run of bytes in request that no range within it covers, or
// MaxInt64 if the request does not begin and end with a range.
func longestGap(ranges []Range, request Range) (longest int64) {
	var within []Range
	for _, r := range ranges {
		if r.Length > 0 && r.Offset >= request.Offset && r.end() <= request.end() {
			within = append(within, r)
		}
	}
	slices.SortFunc(within, func(a, b Range) int { return cmp.Compare(a.Offset, b.Offset) })
	if len(within) == 0 || within[0].Offset != request.Offset {
		return math.MaxInt64
	}
	end := request.Offset
	for _, r := range within {
		longest = max(longest, r.Offset-end)
		end = max(end, r.end())
	}
	if end != request.end() {
		return math.MaxInt64
	}
	return longest
}
