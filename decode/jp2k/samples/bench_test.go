package samples_test

import (
	"testing"

	"tileserver/decode/jp2k/samples"
)

// benchmark transforms and stores rows of three components of 300 samples.
func benchmark[T samples.Sample, V samples.Value](b *testing.B, mix func(first, second, third []V)) {
	const width = 300
	from := rows(width, func() V { return 100 })
	to := make([]T, width)
	depth := samples.Depth{Bits: 8}
	b.SetBytes(3 * width)
	b.ReportAllocs()
	for b.Loop() {
		mix(from[0], from[1], from[2])
		for _, row := range from {
			samples.Store(to, row, depth)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*3*width), "ns/sample")
}

func BenchmarkReversibleShort(b *testing.B) { benchmark[uint8](b, samples.Reversible[int16]) }
func BenchmarkReversible8(b *testing.B)     { benchmark[uint8](b, samples.Reversible[int32]) }
func BenchmarkReversible16(b *testing.B)    { benchmark[uint16](b, samples.Reversible[int32]) }
func BenchmarkReversibleLong(b *testing.B)  { benchmark[uint64](b, samples.Reversible[int64]) }
func BenchmarkIrreversible8(b *testing.B)   { benchmark[uint8](b, samples.Irreversible) }
func BenchmarkIrreversible16(b *testing.B)  { benchmark[uint16](b, samples.Irreversible) }
