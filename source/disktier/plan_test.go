package disktier

import (
	"math"
	"slices"
	"testing"

	"tileserver/source"
)

func TestRangesTouchBlocks(t *testing.T) {
	const b = blockBytes
	for name, test := range map[string]struct {
		ranges []source.Range
		want   []int64
	}{
		"none":            {nil, nil},
		"empty":           {[]source.Range{{Offset: 5}, {Offset: b}}, nil},
		"first byte":      {[]source.Range{{Length: 1}}, []int64{0}},
		"a block":         {[]source.Range{{Offset: b, Length: b}}, []int64{1}},
		"over an edge":    {[]source.Range{{Offset: 2*b - 1, Length: 2}}, []int64{1, 2}},
		"three blocks":    {[]source.Range{{Offset: b - 1, Length: b + 2}}, []int64{0, 1, 2}},
		"backwards":       {[]source.Range{{Offset: 7 * b, Length: 1}, {Offset: 3 * b, Length: 1}}, []int64{3, 7}},
		"twice":           {[]source.Range{{Offset: 7, Length: 1}, {Offset: 9, Length: 1}}, []int64{0}},
		"within another":  {[]source.Range{{Length: 4 * b}, {Offset: b, Length: b}, {Offset: 5 * b, Length: 1}}, []int64{0, 1, 2, 3, 5}},
		"overlapping":     {[]source.Range{{Length: 2 * b}, {Offset: b, Length: 2 * b}}, []int64{0, 1, 2}},
		"the last byte":   {[]source.Range{{Offset: math.MaxInt64 - 1, Length: 1}}, []int64{math.MaxInt64 / b}},
		"same and longer": {[]source.Range{{Offset: b, Length: 1}, {Offset: b, Length: 3 * b}}, []int64{1, 2, 3}},
	} {
		if got, ok := touched(test.ranges); !ok || !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, %t, want %v", name, got, ok, test.want)
		}
	}
	for _, ranges := range [][]source.Range{{{Length: math.MaxInt64}}, {{Length: maxReadBytes}, {Offset: maxReadBytes, Length: 1}}, {{Offset: 1, Length: maxReadBytes}}} {
		if _, ok := touched(ranges); ok {
			t.Errorf("%v is not too much", ranges)
		}
	}
	if got, ok := touched([]source.Range{{Length: maxReadBytes}, {Offset: 5, Length: maxReadBytes - 5}}); !ok || len(got) != maxReadBytes/b {
		t.Errorf("%d blocks, %t", len(got), ok)
	}
}
