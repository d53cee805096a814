package tier1_test

import (
	"fmt"
	"testing"

	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/tier1/tier1test"
	"tileserver/decode/jp2k/wavelet"
)

// BenchmarkDecode varies the size of the coefficients and the styles that differ in speed. It also
// reports the bits of code per coefficient.
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
				values := coefficients(side*side, scale, uint64(seed))
				blocks = append(blocks, tier1test.Encode(values, side, side, wavelet.Orientation(seed%4), c.style))
				size += len(blocks[seed].Data)
			}
			b.Run(fmt.Sprintf("style=%s/scale=%g", c.name, scale), func(b *testing.B) {
				var d tier1.Decoder
				out := make([]int32, side*side)
				b.ReportAllocs()
				b.SetBytes(int64(size / len(blocks)))
				i := 0
				for b.Loop() {
					if err := d.Decode(&blocks[i%len(blocks)], out); err != nil {
						b.Fatal(err)
					}
					i++
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(i)/side/side, "ns/sample")
				b.ReportMetric(float64(size*8)/float64(len(blocks))/side/side, "bits/sample")
			})
		}
	}
}
