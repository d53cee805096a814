package components

import (
	"reflect"
	"slices"
	"testing"

	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/packets"
)

// Code-blocks of high throughput are decoded several in a task; what takes long, or fails, has its own.
func TestRuns(t *testing.T) {
	throughput := func(width, height, bitPlanes int) codeBlock {
		return codeBlock{Block: packets.Block{HT: true}, width: width, height: height, bitPlanes: bitPlanes}
	}
	whole, tiny, unsupported := throughput(64, 64, 9), throughput(2, 1, 9), throughput(2, 1, ht.MaxBitPlanes+1)
	long := codeBlock{width: 4, height: 4, bitPlanes: 40}
	blocks := []codeBlock{whole, whole, whole, whole, whole, tiny, tiny, unsupported, tiny, long, long, tiny, tiny}
	for _, want := range [][][]int{
		nil,
		{{0}},
		{{0, 1, 2, 3}},
		{{0, 1, 2, 3}, {4, 5, 6}},
		{{0, 1, 2, 3}, {4, 5, 6}, {7}},
		{{0, 1, 2, 3}, {4, 5, 6}, {7}, {8}, {9}, {10}, {11, 12}},
	} {
		order := slices.Concat(want...)
		if got := runs(order, blocks); !reflect.DeepEqual(got, want) {
			t.Errorf("%d code-blocks: %v, want %v", len(order), got, want)
		}
	}
}
