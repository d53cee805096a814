package decoder

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"math/rand/v2"
	"testing"
)

// BenchmarkDecode measures decoding in MB/s of decoded samples.
func BenchmarkDecode(b *testing.B) {
	const side = 512
	for _, kind := range []struct {
		name    string
		factors [][2]int
		bits    int
	}{
		{"gray", onePlane, 8}, {"YCbCr 4:4:4", full, 8}, {"YCbCr 4:2:2", halfWide, 8}, {"YCbCr 4:2:0", halfBoth, 8},
		{"12 bits 4:2:0", halfBoth, 12},
	} {
		d := newDrawing(side, side, kind.bits, kind.factors, 1)
		b.Run(kind.name+"/sequential", func(b *testing.B) { benchmark(b, d.sequential(0, d.all())) })
		b.Run(kind.name+"/progressive", func(b *testing.B) { benchmark(b, d.progressive(0, d.fullScript())) })
		if kind.bits == 8 && len(kind.factors) == 3 {
			b.Run(kind.name+"/standard library", func(b *testing.B) {
				stream := d.sequential(0, d.all())
				b.SetBytes(3 * side * side)
				for b.Loop() {
					if _, err := jpeg.Decode(bytes.NewReader(stream)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	lossless := newLosslessDrawing(side, side, 16, 1)
	b.Run("16 bits/lossless", func(b *testing.B) { benchmark(b, lossless.encode(1, 0, 0, []int{0})) })
	smooth := newLosslessDrawing(side, side, 12, 1)
	for i := range smooth.planes[0] {
		smooth.planes[0][i] = 1000 + i%side + i/side + smooth.planes[0][i]>>7
	}
	for _, predictor := range []int{1, 4} {
		b.Run(fmt.Sprintf("12 bits, smooth/lossless, predictor %d", predictor), func(b *testing.B) {
			benchmark(b, smooth.encode(predictor, 0, 0, []int{0}))
		})
	}
}

// BenchmarkRows measures what turns coefficients into colors, without the entropy coder.
func BenchmarkRows(b *testing.B) {
	const width, blocks = 512, 64
	random := rand.New(rand.NewPCG(1, 1))
	var coefficients, rest [blocks]block
	var lastIndexes [blocks]uint8
	for i := range coefficients {
		for k := range 20 {
			coefficients[i][zigzagIndex[k]] = int16(random.IntN(64) - 32)
		}
		lastIndexes[i] = 19
	}
	q, out := quantizer{1, 2, 3}, make([]uint8, 8*width)
	sums, wide := make([]uint16, width/2), make([]uint8, width)
	rows := [][]uint8{make([]uint8, width), make([]uint8, width), make([]uint8, width)}
	b.Run("transform", func(b *testing.B) {
		for b.Loop() {
			rest = coefficients
			transformRow8(out, width, rest[:], lastIndexes[:], &q)
		}
	})
	b.Run("sum", func(b *testing.B) {
		for b.Loop() {
			sumRows8(sums, out[:width/2], out[width:][:width/2])
		}
	})
	b.Run("widen", func(b *testing.B) {
		for b.Loop() {
			widenSums8(wide, sums, 7, 8)
		}
	})
	b.Run("rgb", func(b *testing.B) {
		for b.Loop() {
			rgbRow8(rows[0], rows[1], rows[2], out[:width], out[width:2*width], wide)
		}
	})
}

func benchmark(b *testing.B, stream []byte) {
	var d Decoder
	f, err := d.Open(stream, nil)
	if err != nil {
		b.Fatal(err)
	}
	narrow := Picture[uint8]{Width: f.Width, Height: f.Height, RGB: f.Components == 3}
	wide := Picture[uint16]{Width: f.Width, Height: f.Height, RGB: f.Components == 3}
	for i := range f.Components {
		narrow.Planes[i], wide.Planes[i] = make([]uint8, f.Width*f.Height), make([]uint16, f.Width*f.Height)
	}
	b.SetBytes(int64(f.Width * f.Height * f.Components * (1 + (f.Bits-1)/8)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Open(stream, nil); err != nil {
			b.Fatal(err)
		}
		if f.Bits > 8 {
			err = d.Decode16(&wide)
		} else {
			err = d.Decode8(&narrow)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
