package packets_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/packets/packetstest"
	"tileserver/decode/jp2k/wavelet"
)

// square returns a tile of one resolution. Its code-blocks are 4 x 4, and its precincts have a
// power of two as their size.
func square(side, precinctLog2, layers int, data []byte) *codestream.Tile {
	shape := packetstest.Shape{
		Rect:         wavelet.Rect{X1: side, Y1: side},
		Components:   []packetstest.Component{{DX: 1, DY: 1, BlockWidthLog2: 2, BlockHeightLog2: 2, Precincts: [][2]int{{precinctLog2, precinctLog2}}}},
		Layers:       layers,
		Progressions: []codestream.Progression{{EndResolution: 1, EndComponent: 1, EndLayer: layers}},
	}
	tile := shape.Tile()
	tile.Parts = []codestream.TilePart{{Length: int64(len(data))}}
	return tile
}

// TestFewBytesDoNotTakeHours scans tiles of few bytes that once took minutes to hours. The timeout
// is far above what they take now: the test only checks that they come to an end.
func TestFewBytesDoNotTakeHours(t *testing.T) {
	const layers = 1<<16 - 1
	empty := make([]byte, layers)
	leftOut := bytes.Repeat([]byte{0x80}, layers) // content is present, but one of four quarters has none
	leftOut[0] = 0xc0
	marked, parts := partsOfNothing(1 << 19)
	again := square(1024, 0, 1, make([]byte, 1<<20))
	again.Progressions = slices.Repeat(again.Progressions, 4096)
	begun := square(9000, 10, 2, leftOut)
	tests := []struct {
		name string
		tile *codestream.Tile
		data []byte
		want error
	}{
		{"progressions without layers", withoutLayers(square(2048, 0, 1, empty)), empty, packets.ErrMissing},
		{"progressions of repeated packets", again, make([]byte, 1<<20), packets.ErrIdle},
		{"precincts that all have begun", begun, leftOut, packets.ErrTooMuchState},
		{"layers without anything", square(8192, 15, layers, empty), empty, nil},
		{"layers without any code-block", square(7200, 15, layers, leftOut), leftOut, packets.ErrEmpty},
		{"parts without a sound packet", parts, marked, packets.ErrBody},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			done := make(chan error, 1)
			go func() {
				index, err := packets.Scan(t.Context(), &packetstest.Reader{Bytes: test.data}, test.tile, packets.DefaultLimits())
				if err == nil {
					err = index.Damage()
				}
				done <- err
			}()
			select {
			case err := <-done:
				if !errors.Is(err, test.want) {
					t.Errorf("got %v, want %v", err, test.want)
				}
			case <-time.After(5 * time.Minute):
				t.Fatal("the scan does not end")
			}
		})
	}
}

// withoutLayers prepends progressions that visit all precincts of a tile but yield no packet.
func withoutLayers(tile *codestream.Tile) *codestream.Tile {
	idle := codestream.Progression{Order: codestream.RPCL, EndResolution: 1, EndComponent: 1}
	tile.Progressions = append(slices.Repeat([]codestream.Progression{idle}, 4095), tile.Progressions...)
	return tile
}

// partsOfNothing returns a tile of many parts. Each begins with the number of a packet and a
// truncated packet.
func partsOfNothing(count int) ([]byte, *codestream.Tile) {
	data := make([]byte, 0, 8*count)
	tile := square(4096, 2, 1, nil)
	tile.Parts = make([]codestream.TilePart, count)
	for i := range tile.Parts {
		tile.Parts[i] = codestream.TilePart{Offset: int64(len(data)), Length: 8}
		data = append(data, 0xff, 0x91, 0, 4, byte(2*i>>8), byte(2*i), 0xff, 0x7f)
	}
	return data, tile
}
