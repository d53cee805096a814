package packets_test

import (
	"fmt"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/packets/packetstest"
	"tileserver/decode/jp2k/wavelet"
)

// photo returns a tile as in large images: three components, code-blocks of 64 samples.
func photo(size, layers int, order codestream.Order, precinctLog2 int) *packetstest.EncodedTile {
	component := packetstest.Component{
		DX: 1, DY: 1, Levels: 6, BlockWidthLog2: 6, BlockHeightLog2: 6, Precincts: [][2]int{{precinctLog2, precinctLog2}},
	}
	shape := packetstest.Shape{
		Rect:         wavelet.Rect{X1: size, Y1: size},
		Components:   []packetstest.Component{component, component, component},
		Layers:       layers,
		Progressions: []codestream.Progression{{Order: order, EndResolution: 33, EndComponent: 3, EndLayer: layers}},
	}
	random := newRandom(1)
	tile := shape.Tile()
	density := packetstest.Density{Blocks: 1, Layers: 1, MaxPasses: max(40/layers, 1), MaxBytes: 1500 / layers}
	return packetstest.Write(tile, packetstest.Content(tile, density, random), packetstest.Options{}, random)
}

// memory returns all bytes at once, like a mapped file.
type memory []byte

func (m memory) Size() int64                                      { return int64(len(m)) }
func (m memory) Peek(offset int64, minLength int) ([]byte, error) { return m[offset:], nil }

func BenchmarkScan(b *testing.B) {
	for _, test := range []struct{ size, layers, precinctLog2 int }{{8192, 1, 15}, {4096, 1, 8}, {4096, 6, 15}, {4096, 12, 15}} {
		w := photo(test.size, test.layers, codestream.LRCP, test.precinctLog2)
		b.Run(fmt.Sprintf("%d blocks in %d packets of %d layers", len(w.Blocks), len(w.Packets), test.layers), func(b *testing.B) {
			b.ReportAllocs()
			var index *packets.Index
			for b.Loop() {
				var err error
				if index, err = packets.Scan(b.Context(), memory(w.Bytes), w.Tile, packets.DefaultLimits()); err != nil || index.Damage() != nil {
					b.Fatal(err, index.Damage())
				}
			}
			b.ReportMetric(float64(index.Size())/float64(len(w.Blocks)), "B/block")
			b.ReportMetric(float64(len(index.AppendBinary(nil)))/float64(len(w.Blocks)), "kept-B/block")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(w.Blocks)), "ns/block")
		})
	}
}

func BenchmarkParse(b *testing.B) {
	w := photo(4096, 1, codestream.LRCP, 15)
	index, err := packets.Scan(b.Context(), memory(w.Bytes), w.Tile, packets.DefaultLimits())
	if err != nil {
		b.Fatal(err)
	}
	data := index.AppendBinary(nil)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := packets.Parse(w.Tile, data, packets.DefaultLimits()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBlock(b *testing.B) {
	for _, layers := range []int{1, 12} {
		w := photo(1024, layers, codestream.LRCP, 15)
		index, err := packets.Scan(b.Context(), memory(w.Bytes), w.Tile, packets.DefaultLimits())
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%d layers", layers), func(b *testing.B) {
			var block packets.Block
			b.ReportAllocs()
			for b.Loop() {
				if !index.Block(packets.Position{Resolution: 6, Band: 2, Column: 3, Row: 4}, packets.AllLayers, &block) {
					b.Fatal("nothing there")
				}
			}
		})
	}
}
