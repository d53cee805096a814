package ht_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/ht/httest"
)

// BenchmarkDecode decodes many blocks in turn, so that the processor cannot learn the branches of
// one block.
func BenchmarkDecode(b *testing.B) {
	for _, test := range []struct {
		bitPlanes, plane, passes int
		scale                    float64
	}{
		{9, 0, 1, 0.1}, {9, 0, 1, 0.7}, {9, 0, 1, 4}, {9, 0, 1, 30}, {17, 0, 1, 600}, {26, 0, 1, 1e6}, {9, 3, 1, 8}, {9, 3, 3, 8},
	} {
		const count = 100
		random := rand.New(rand.NewPCG(1, 1))
		blocks := make([]*ht.Block, count)
		size := 0
		for i := range blocks {
			s := httest.Samples{Width: 64, Height: 64, BitPlanes: test.bitPlanes, Plane: test.plane, Passes: test.passes}
			s.Values = laplacian(random, 4096, test.bitPlanes, test.scale)
			blocks[i] = s.Encode()
			size += len(blocks[i].Cleanup) + len(blocks[i].Refinement)
		}
		name := fmt.Sprintf("%d planes, %d passes, %.1f bits a sample", test.bitPlanes, test.passes, float64(size)*8/(count*4096))
		b.Run(name, func(b *testing.B) {
			d, out := new(ht.Decoder), make([]int32, 4096)
			b.SetBytes(4 * 4096)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if err := d.Decode(blocks[i%count], out); err != nil {
					b.Fatal(err)
				}
				i++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/sample")
		})
	}
}
