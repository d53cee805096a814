package ranges

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

	"tileserver/source"
)

func TestCoalesce(t *testing.T) {
	const gap, limit = 10, 100
	tests := []struct {
		name          string
		ranges        []source.Range
		wantRequests  []source.Range
		wantRequestOf []int
	}{
		{"none", nil, nil, []int{}},
		{"one", []source.Range{{Offset: 5, Length: 7}}, []source.Range{{Offset: 5, Length: 7}}, []int{0}},
		{"touching", []source.Range{{Offset: 5, Length: 7}, {Offset: 12, Length: 3}}, []source.Range{{Offset: 5, Length: 10}}, []int{0, 0}},
		{"just near", []source.Range{{Offset: 0, Length: 5}, {Offset: 15, Length: 5}}, []source.Range{{Offset: 0, Length: 20}}, []int{0, 0}},
		{"just too far", []source.Range{{Offset: 0, Length: 5}, {Offset: 16, Length: 5}}, []source.Range{{Offset: 0, Length: 5}, {Offset: 16, Length: 5}}, []int{0, 1}},
		{"backwards", []source.Range{{Offset: 200, Length: 5}, {Offset: 16, Length: 5}, {Offset: 0, Length: 8}}, []source.Range{{Offset: 0, Length: 21}, {Offset: 200, Length: 5}}, []int{1, 0, 0}},
		{"a chain", []source.Range{{Offset: 0, Length: 5}, {Offset: 14, Length: 5}, {Offset: 28, Length: 5}, {Offset: 42, Length: 5}}, []source.Range{{Offset: 0, Length: 47}}, []int{0, 0, 0, 0}},
		{"as long as may be", []source.Range{{Offset: 0, Length: 50}, {Offset: 50, Length: 50}}, []source.Range{{Offset: 0, Length: 100}}, []int{0, 0}},
		{"too long together", []source.Range{{Offset: 0, Length: 50}, {Offset: 50, Length: 51}}, []source.Range{{Offset: 0, Length: 50}, {Offset: 50, Length: 51}}, []int{0, 1}},
		{"too long alone", []source.Range{{Offset: 3, Length: 500}, {Offset: 503, Length: 1}, {Offset: 20, Length: 30}}, []source.Range{{Offset: 3, Length: 500}, {Offset: 503, Length: 1}}, []int{0, 1, 0}},
		{"overlapping", []source.Range{{Offset: 0, Length: 20}, {Offset: 10, Length: 30}}, []source.Range{{Offset: 0, Length: 40}}, []int{0, 0}},
		{"overlapping, too long together", []source.Range{{Offset: 0, Length: 60}, {Offset: 50, Length: 60}}, []source.Range{{Offset: 0, Length: 60}, {Offset: 50, Length: 60}}, []int{0, 1}},
		{"within another", []source.Range{{Offset: 0, Length: 40}, {Offset: 10, Length: 5}, {Offset: 41, Length: 2}}, []source.Range{{Offset: 0, Length: 43}}, []int{0, 0, 0}},
		{"twice", []source.Range{{Offset: 7, Length: 9}, {Offset: 300, Length: 1}, {Offset: 7, Length: 9}}, []source.Range{{Offset: 7, Length: 9}, {Offset: 300, Length: 1}}, []int{0, 1, 0}},
		{"same begin, the shorter first", []source.Range{{Offset: 7, Length: 2}, {Offset: 7, Length: 9}}, []source.Range{{Offset: 7, Length: 9}}, []int{0, 0}},
		{"same begin, both too long", []source.Range{{Offset: 7, Length: 200}, {Offset: 7, Length: 300}}, []source.Range{{Offset: 7, Length: 300}}, []int{0, 0}},
		{"empty ranges are no requests", []source.Range{{Offset: 50, Length: 0}, {Offset: 7, Length: 9}, {Offset: 0, Length: 0}}, []source.Range{{Offset: 7, Length: 9}}, []int{0, 0, 0}},
		{"at the far end", []source.Range{{Offset: math.MaxInt64 - 5, Length: 5}, {Offset: math.MaxInt64 - 20, Length: 10}}, []source.Range{{Offset: math.MaxInt64 - 20, Length: 20}}, []int{0, 0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			requests, requestOf := Coalesce(test.ranges, gap, limit)
			if !slices.Equal(requests, test.wantRequests) || !slices.Equal(requestOf, test.wantRequestOf) {
				t.Errorf("got %v, %v; want %v, %v", requests, requestOf, test.wantRequests, test.wantRequestOf)
			}
		})
	}
}

func TestLayout(t *testing.T) {
	tests := []struct {
		name          string
		requests      []source.Range
		maxBytes      int64
		wantPositions []int64
		wantTotal     int64
		wantErr       error
	}{
		{"none", nil, 10, []int64{}, 0, nil},
		{"one behind the other", []source.Range{{Offset: 100, Length: 3}, {Offset: 200, Length: 5}, {Offset: 300, Length: 2}}, 10, []int64{0, 3, 8}, 10, nil},
		{"one byte over", []source.Range{{Offset: 100, Length: 3}, {Offset: 200, Length: 5}, {Offset: 300, Length: 3}}, 10, nil, 0, source.ErrTooLarge},
		{"sum overflows", []source.Range{{Offset: 0, Length: math.MaxInt64}, {Offset: 1, Length: math.MaxInt64 - 1}, {Offset: 2, Length: 9}}, math.MaxInt64, nil, 0, source.ErrTooLarge},
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
func fuzzRanges(raw []byte, size int64) []source.Range {
	var ranges []source.Range
	for ; len(raw) >= 5 && len(ranges) < 200; raw = raw[5:] {
		offset := int64(binary.LittleEndian.Uint32(raw)) % (size + 1)
		length := int64(raw[3])<<(raw[4]%12) + int64(raw[4]>>4)
		ranges = append(ranges, source.Range{Offset: offset, Length: min(length, size-offset)})
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
		requests, requestOf := Coalesce(ranges, gap, limit)
		checkCover(t, ranges, requests, requestOf)
		checkRequests(t, ranges, requests, gap, limit)

		g := NewReader(int64(len(data)), Options{
			MergeGapBytes: gap, MaxMergedBytes: limit, MaxBytesPerCall: 1 << 30, ParallelReads: 3,
		}, func(_ context.Context, dst []byte, offset int64) error {
			copy(dst, data[offset:])
			return nil
		}, func(dst []byte, offset int64) int {
			if offset%3 != 0 {
				return 0
			}
			return copy(dst, data[offset:])
		})
		got, err := g.ReadRanges(t.Context(), ranges)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range ranges {
			if want := data[r.Offset:r.End()]; !bytes.Equal(got[i], want) || got[i] == nil || cap(got[i]) != len(want) {
				t.Errorf("range %d (%v) of %v: wrong bytes, or room for %d", i, r, ranges, cap(got[i]))
			}
		}
	})
}

// checkCover fails unless each range lies in its request.
func checkCover(t *testing.T, ranges, requests []source.Range, requestOf []int) {
	for i, r := range ranges {
		if r.Length == 0 {
			continue
		}
		if request := requests[requestOf[i]]; r.Offset < request.Offset || r.End() > request.End() {
			t.Errorf("range %v is not in its request %v", r, request)
		}
	}
}

// checkRequests fails if a request reads more than ranges and permitted gaps, if merging made it
// too long, or if neighboring requests could have merged.
func checkRequests(t *testing.T, ranges, requests []source.Range, gap, limit int64) {
	for i, request := range requests {
		if request.Length > limit && !slices.Contains(ranges, request) {
			t.Errorf("request %v is over %d bytes, and no range is that long", request, limit)
		}
		if i > 0 && request.Offset <= requests[i-1].Offset {
			t.Errorf("request %v comes behind %v", request, requests[i-1])
		}
		if i > 0 && request.Offset-requests[i-1].End() <= gap && request.End()-requests[i-1].Offset <= limit {
			t.Errorf("requests %v and %v are near, and apart", requests[i-1], request)
		}
		if longest := longestGap(ranges, request); longest > gap {
			t.Errorf("request %v reads %d bytes in a row that no range covers", request, longest)
		}
	}
}

// longestGap returns the longest run of bytes in request that no range within it covers, or
// MaxInt64 if the request does not begin and end with a range.
func longestGap(ranges []source.Range, request source.Range) (longest int64) {
	var within []source.Range
	for _, r := range ranges {
		if r.Length > 0 && r.Offset >= request.Offset && r.End() <= request.End() {
			within = append(within, r)
		}
	}
	slices.SortFunc(within, func(a, b source.Range) int { return cmp.Compare(a.Offset, b.Offset) })
	if len(within) == 0 || within[0].Offset != request.Offset {
		return math.MaxInt64
	}
	end := request.Offset
	for _, r := range within {
		longest = max(longest, r.Offset-end)
		end = max(end, r.End())
	}
	if end != request.End() {
		return math.MaxInt64
	}
	return longest
}
