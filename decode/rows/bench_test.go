package rows

import (
	"fmt"
	"testing"
	"unsafe"
)

// Pixels per row and rows per tile.
const rowPixels, tileRows = 512, 64

// benchmarkRows runs a kernel over adjacent rows, as in a block.
func benchmarkRows[T Word](b *testing.B, name string, perRow int, kernel func(row []T)) {
	b.Run(name, func(b *testing.B) {
		words := noise[T](perRow*tileRows, 1)
		b.SetBytes(int64(len(words)) * int64(unsafe.Sizeof(words[0])))
		b.ReportAllocs()
		for b.Loop() {
			for y := range tileRows {
				kernel(words[y*perRow:][:perRow])
			}
		}
	})
}

func BenchmarkAccumulate(b *testing.B) {
	benchmarkAccumulate[uint8](b, "uint8")
	benchmarkAccumulate[uint16](b, "uint16")
	benchmarkAccumulate[uint32](b, "uint32")
}

func benchmarkAccumulate[T Word](b *testing.B, name string) {
	for samples := 1; samples <= 4; samples++ {
		name := fmt.Sprintf("%sx%d", name, samples)
		benchmarkRows(b, name, rowPixels*samples, func(row []T) { Accumulate(row, row, samples) })
		benchmarkRows(b, name+"/go", rowPixels*samples, func(row []T) { accumulateInGo(row, row, samples) })
	}
}

func BenchmarkSplit(b *testing.B) {
	benchmarkSplit[uint8](b, "uint8")
	benchmarkSplit[uint16](b, "uint16")
	benchmarkSplit[uint32](b, "uint32")
}

func benchmarkSplit[T Word](b *testing.B, name string) {
	for samples := 2; samples <= 4; samples++ {
		planes := make([][]T, samples)
		for i := range planes {
			planes[i] = make([]T, rowPixels)
		}
		name := fmt.Sprintf("%sx%d", name, samples)
		benchmarkRows(b, name, rowPixels*samples, func(row []T) { Split(planes, row) })
		benchmarkRows(b, name+"/go", rowPixels*samples, func(row []T) { splitInGo(planes, row, 0) })
	}
}

func BenchmarkJoin(b *testing.B) {
	for _, size := range []int{2, 4, 8} {
		samples := make([]byte, rowPixels*size)
		name := fmt.Sprintf("%d bytes", size)
		benchmarkRows(b, name, rowPixels*size, func(row []uint8) { Join(samples, row, size) })
		benchmarkRows(b, name+"/go", rowPixels*size, func(row []uint8) { joinInGo(samples, row, size, 0) })
	}
}

func BenchmarkSwap(b *testing.B) {
	for _, size := range []int{2, 4, 8} {
		name := fmt.Sprintf("%d bytes", size)
		benchmarkRows(b, name, rowPixels*size, func(row []uint8) { Swap(row, size) })
		benchmarkRows(b, name+"/go", rowPixels*size, func(row []uint8) { swapInGo(row, size) })
	}
}

// BenchmarkWidenBits measures the samples written.
func BenchmarkWidenBits(b *testing.B) {
	bits := noise[uint8](rowPixels/8, 1)
	benchmarkRows(b, "1 bit", rowPixels, func(row []uint8) { WidenBits(row, bits) })
	benchmarkRows(b, "1 bit/go", rowPixels, func(row []uint8) { widenBitsInGo(row, bits) })
}
