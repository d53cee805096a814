package packets_test

import (
	"fmt"
	"runtime"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
)

// TestSizeMatchesHeap compares Size with the growth of the heap, and both with the promised size of
// a code-block.
func TestSizeMatchesHeap(t *testing.T) {
	for _, test := range []struct{ layers, maxPerBlock int }{{1, 13}, {6, 70}, {12, 110}} {
		t.Run(fmt.Sprintf("%d layers", test.layers), func(t *testing.T) {
			w := photo(2048, test.layers, codestream.LRCP, 15)
			before := heap()
			index, err := packets.Scan(t.Context(), memory(w.Bytes), w.Tile, packets.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			grown, size := heap()-before, index.Size()
			if size < grown*9/10-16<<10 || size > grown*11/10+16<<10 {
				t.Errorf("the heap grew by %d bytes, and Size is %d", grown, size)
			}
			if perBlock := int(size) / len(w.Blocks); perBlock > test.maxPerBlock {
				t.Errorf("%d bytes a code-block, want at most %d", perBlock, test.maxPerBlock)
			}
			runtime.KeepAlive(index)
		})
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
