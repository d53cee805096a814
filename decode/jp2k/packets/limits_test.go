package packets_test

import (
	"errors"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/packets/packetstest"
)

func TestGeometryOverTheLimits(t *testing.T) {
	all := codestream.Rect{X1: 1<<32 - 1, Y1: 1<<32 - 1}
	tests := []struct {
		name      string
		rect      codestream.Rect
		component packetstest.Component
		layers    int
	}{
		{"precincts of a sample", all, packetstest.Component{BlockWidthLog2: 2, BlockHeightLog2: 2, Precincts: [][2]int{{0, 0}}}, 1},
		{"small code-blocks", all, packetstest.Component{BlockWidthLog2: 2, BlockHeightLog2: 2, Precincts: [][2]int{{15, 15}}}, 1},
		{"layers", codestream.Rect{X1: 4096, Y1: 4096}, packetstest.Component{BlockWidthLog2: 6, BlockHeightLog2: 6, Precincts: [][2]int{{6, 6}}}, 65535},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.component.DX, test.component.DY = 1, 1
			shape := packetstest.Shape{
				Rect: test.rect, Components: []packetstest.Component{test.component}, Layers: test.layers,
				Progressions: []codestream.Progression{{EndResolution: 33, EndComponent: 1, EndLayer: test.layers}},
			}
			tile := shape.Tile()
			if _, err := packets.Walk(&packetstest.Reader{}, tile, packets.DefaultLimits()); !errors.Is(err, packets.ErrLimit) {
				t.Errorf("walk: got %v, want %v", err, packets.ErrLimit)
			}
			if _, err := packets.Parse(tile, nil, packets.DefaultLimits()); !errors.Is(err, packets.ErrLimit) {
				t.Errorf("parse: got %v, want %v", err, packets.ErrLimit)
			}
			tile.PacketLengths = []uint32{1}
			if _, err := packets.Locate(tile, packets.DefaultLimits()); !errors.Is(err, packets.ErrLimit) {
				t.Errorf("locate: got %v, want %v", err, packets.ErrLimit)
			}
		})
	}
}

// TestBodiesArePassedOver counts what is read of a tile whose bodies are far longer than its headers.
func TestBodiesArePassedOver(t *testing.T) {
	w := photo(2048, 1, codestream.LRCP, 15)
	r := &packetstest.Reader{Bytes: w.Bytes}
	if _, err := packets.Walk(r, w.Tile, packets.DefaultLimits()); err != nil {
		t.Fatal(err)
	}
	if most := int64(3*w.Headers + len(w.Packets)*4096); r.Read > most {
		t.Errorf("%d bytes of %d were read for %d of headers, want at most %d", r.Read, len(w.Bytes), w.Headers, most)
	}
}
