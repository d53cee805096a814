package lerc

import (
	"math"
	"math/rand/v2"
	"testing"
)

// terrain returns smooth terrain with some grain, in integral steps.
func terrain(kind Type, side, depth int, grain float64) picture {
	random := rand.New(rand.NewPCG(1, 2))
	p := picture{kind: kind, width: side, height: side, depth: depth, bands: 1}
	for y := range side {
		for x := range side {
			p.valid = append(p.valid, true)
			for value := range depth {
				light := 120 + 60*math.Sin(float64(x)/37)*math.Cos(float64(y)/29) + float64(10*value)
				p.samples = append(p.samples, math.Round(light+random.NormFloat64()*grain))
			}
		}
	}
	return p
}

func BenchmarkDecode(b *testing.B) {
	masked := terrain(Float32, 256, 1, 3)
	for i := range masked.valid {
		masked.valid[i] = (i/256-128)*(i/256-128)+(i%256-128)*(i%256-128) < 120*120
	}
	for _, sample := range []struct {
		name string
		picture
		encoder
	}{
		{"uint8, three values, delta Huffman", terrain(Uint8, 256, 3, 3), encoder{version: 4, method: methodDeltaHuffman}},
		{"uint8, delta Huffman", terrain(Uint8, 256, 1, 3), encoder{version: 4, method: methodDeltaHuffman}},
		{"uint8, blocks", terrain(Uint8, 256, 1, 1), encoder{version: 4}},
		{"uint16, blocks", terrain(Uint16, 256, 1, 3), encoder{version: 4}},
		{"float32, blocks", terrain(Float32, 256, 1, 3), encoder{version: 4}},
		{"float32, masked blocks", masked, encoder{version: 4}},
		{"float32, old blocks", terrain(Float32, 256, 1, 3), encoder{version: 2}},
		{"float32, raw", terrain(Float32, 256, 1, 3), encoder{version: 4, method: methodRaw}},
		{"float32, planes", terrain(Float32, 256, 1, 3), encoder{version: 6, method: methodPlanes, predictor: predictLeftAndAbove}},
	} {
		sample.blockSize = 8
		if sample.method != methodPlanes {
			sample.maxZError = 0.5
		}
		src := sample.stream(sample.picture)
		samples, mask := expected(sample.picture)
		b.Run(sample.name, func(b *testing.B) {
			var decoder Decoder
			b.SetBytes(int64(len(samples)))
			b.ReportAllocs()
			for b.Loop() {
				if err := decoder.Decode(samples, mask, src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFletcher32(b *testing.B) {
	data := memory(1 << 18)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if Fletcher32(data) == 0 {
			b.Fatal("a checksum cannot be zero")
		}
	}
}
