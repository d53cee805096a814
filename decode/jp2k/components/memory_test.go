package components

import (
	"testing"

	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// All memory for reading, decoding and assembling is counted in advance.
func TestMemoryOfRequest(t *testing.T) {
	coarse := jp2ktest.Wide()
	coarse.Image = wavelet.Rect{X1: 600, Y1: 500}
	coarse.Components[1].DX, coarse.Components[1].DY = 2, 2
	for _, test := range []struct {
		name      string
		data      []byte
		dx        int // of the component
		dataType  raster.DataType
		minBlocks int
		samples   int64 // that are assembled
	}{
		{"a band of samples", jp2ktest.Wide().Codestream(), 1, raster.Uint8, 60, 256 * 256},
		{"a band of coarser samples", coarse.Codestream(), 2, raster.Int64, 20, 128 * 128},
	} {
		o := open(t, test.data, nil)
		r := o.NewRequest()
		rect := o.header.ComponentRect(1, 0).Intersect(wavelet.Rect{X0: 300 / test.dx, Y0: 200 / test.dx, X1: 556 / test.dx, Y1: 456 / test.dx})
		out := &Output{Rect: rect, Type: test.dataType, Bands: 1}
		r.AddOutputs([]*Output{out}, out.Bytes())
		r.AddSamples(ComponentRequest{Component: 1, Rect: rect, Targets: []Target{{out, 0}}})
		if err := r.Plan(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := r.scratchBytes() + o.estimates.headers
		for _, output := range r.outputs {
			want += output.Bytes()
		}
		for _, key := range r.shared.keys {
			var block codeBlock
			if one := blockKey(key); !one.find(r.tiles[0], r.blocks[0], &block) {
				t.Fatalf("%s: no code-block %+v", test.name, key)
			}
			want += int64(block.Length) + 2*int64(block.width*block.height) + codeBlockBytes
		}
		if r.bytes != want || len(r.shared.keys) < test.minBlocks {
			t.Errorf("%s: %d bytes for %d code-blocks, want %d", test.name, r.bytes, len(r.shared.keys), want)
		}
		const int32s = 4
		if r.scratchBytes() < 2*int32s*test.samples {
			t.Errorf("%s: %d bytes to make %d samples", test.name, r.scratchBytes(), test.samples)
		}
	}
}
