package tier1_test

import (
	"errors"
	"fmt"
	"testing"

	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/tier1/tier1test"
	"tileserver/decode/jp2k/wavelet"
)

// BenchmarkDecode varies the size of the coefficients, the styles that differ in speed, and the number of
// blocks that are decoded in turns. It also reports the bits of code per coefficient.
func BenchmarkDecode(b *testing.B) {
	const side = 64
	for _, c := range []struct {
		name  string
		style tier1.Style
	}{{"plain", 0}, {"bypass", tier1.Bypass}, {"causal,terminated,reset", tier1.VerticallyCausal | tier1.TerminateAll | tier1.ResetContexts}} {
		for _, scale := range []float64{0.2, 1, 4, 16, 200} {
			var blocks []tier1.Block
			size := 0
			for seed := range 8 {
				values := tier1test.Coefficients(side*side, scale, uint64(seed))
				blocks = append(blocks, tier1test.Encode(values, side, side, wavelet.Orientation(seed%4), c.style))
				size += len(blocks[seed].Data)
			}
			for _, count := range []int{1, 2} {
				b.Run(fmt.Sprintf("style=%s/scale=%g/blocks=%d", c.name, scale, count), func(b *testing.B) {
					var tasks [2]tier1.Task
					for i := range tasks {
						tasks[i] = tier1.Task{Decoder: new(tier1.Decoder), Out: make([]int32, side*side)}
					}
					b.ReportAllocs()
					b.SetBytes(int64(size / len(blocks) * count))
					i := 0
					for b.Loop() {
						for n := range count {
							tasks[n].Block = &blocks[i%len(blocks)]
							i++
						}
						if err := decode(tasks[:count]); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(i)/side/side, "ns/sample")
					b.ReportMetric(float64(size*8)/float64(len(blocks))/side/side, "bits/sample")
				})
			}
		}
	}
}

// decode decodes a block, or two in turns.
func decode(tasks []tier1.Task) error {
	if len(tasks) == 1 {
		return tasks[0].Decoder.Decode(tasks[0].Block, tasks[0].Out)
	}
	return errors.Join(tier1.DecodeBoth(tasks[0], tasks[1]))
}
