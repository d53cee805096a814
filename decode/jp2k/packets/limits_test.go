package packets_test

import (
	"errors"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/packets/packetstest"
	"tileserver/decode/jp2k/wavelet"
)

func TestGeometryOverTheLimits(t *testing.T) {
	all := wavelet.Rect{X1: 1<<32 - 1, Y1: 1<<32 - 1}
	tests := []struct {
		name      string
		rect      wavelet.Rect
		component packetstest.Component
		layers    int
	}{
		{"precincts of a sample", all, packetstest.Component{BlockWidthLog2: 2, BlockHeightLog2: 2, Precincts: [][2]int{{0, 0}}}, 1},
		{"small code-blocks", all, packetstest.Component{BlockWidthLog2: 2, BlockHeightLog2: 2, Precincts: [][2]int{{15, 15}}}, 1},
		{"layers", wavelet.Rect{X1: 4096, Y1: 4096}, packetstest.Component{BlockWidthLog2: 6, BlockHeightLog2: 6, Precincts: [][2]int{{6, 6}}}, 65535},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.component.DX, test.component.DY = 1, 1
			shape := packetstest.Shape{
				Rect: test.rect, Components: []packetstest.Component{test.component}, Layers: test.layers,
				Progressions: []codestream.Progression{{EndResolution: 33, EndComponent: 1, EndLayer: test.layers}},
			}
			tile := shape.Tile()
			if _, err := packets.Scan(t.Context(), &packetstest.Reader{}, tile, packets.DefaultLimits()); !errors.Is(err, packets.ErrLimit) {
				t.Errorf("walk: got %v, want %v", err, packets.ErrLimit)
			}
			if _, err := packets.Parse(tile, nil, packets.DefaultLimits()); !errors.Is(err, packets.ErrLimit) {
				t.Errorf("parse: got %v, want %v", err, packets.ErrLimit)
			}
			tile.PacketLengths = []uint32{1}
			if _, err := packets.Locate(t.Context(), tile, packets.DefaultLimits()); !errors.Is(err, packets.ErrLimit) {
				t.Errorf("locate: got %v, want %v", err, packets.ErrLimit)
			}
		})
	}
}

// TestBodiesAreSkipped counts the bytes read of a tile whose bodies are far longer than its
// headers.
func TestBodiesAreSkipped(t *testing.T) {
	w := photo(2048, 1, codestream.LRCP, 15)
	r := &packetstest.Reader{Bytes: w.Bytes}
	if _, err := packets.Scan(t.Context(), r, w.Tile, packets.DefaultLimits()); err != nil {
		t.Fatal(err)
	}
	if limit := int64(3*w.Headers + len(w.Packets)*4096); r.Read > limit {
		t.Errorf("%d bytes of %d were read for %d of headers, want at most %d", r.Read, len(w.Bytes), w.Headers, limit)
	}
}

// TestNotesAreBounded scans a tile with a contribution in each layer, until its notes exceed the
// limit.
func TestNotesAreBounded(t *testing.T) {
	w := photo(512, 12, codestream.LRCP, 15)
	walk := func(limits packets.Limits) *packets.Index {
		index, err := packets.Scan(t.Context(), &packetstest.Reader{Bytes: w.Bytes}, w.Tile, limits)
		if err != nil {
			t.Fatal(err)
		}
		return index
	}
	whole, little := walk(packets.Limits{}), walk(packets.Limits{NoteBytes: 4096})
	if whole.Damage() != nil {
		t.Errorf("by default: damage %v", whole.Damage())
	}
	if !errors.Is(little.Damage(), packets.ErrTooMuchState) || little.Size() >= whole.Size() {
		t.Errorf("few bytes: damage %v and %d bytes of %d", little.Damage(), little.Size(), whole.Size())
	}
	if checkSound(t, w, little, w.Bytes) >= checkSound(t, w, whole, w.Bytes) {
		t.Error("nothing is omitted")
	}
}

// Positions in a tile's bytes have 40 bits.
func TestTilesTooLong(t *testing.T) {
	tile := square(64, 6, 1, nil)
	tile.Parts = []codestream.TilePart{{Length: 1 << 39}, {Offset: 1 << 39, Length: 1 << 39}}
	if _, err := packets.Scan(t.Context(), &packetstest.Reader{}, tile, packets.Limits{}); !errors.Is(err, packets.ErrLimit) {
		t.Errorf("walk: got %v, want %v", err, packets.ErrLimit)
	}
	tile.PacketLengths = []uint32{1}
	if _, err := packets.Locate(t.Context(), tile, packets.Limits{}); !errors.Is(err, packets.ErrLimit) {
		t.Errorf("locate: got %v, want %v", err, packets.ErrLimit)
	}
}

// TestNotesOfAGigapixelFit checks the default with a small tile: the same share of the default
// suffices for it, and half of that does not.
func TestNotesOfAGigapixelFit(t *testing.T) {
	const gigapixelBlocks, layers = 3 << 30 >> 12, 12
	w := photo(1024, layers, codestream.LRCP, 15)
	share := packets.DefaultLimits().NoteBytes / gigapixelBlocks * len(w.Blocks)
	for bytes, want := range map[int]error{share: nil, share / 2: packets.ErrTooMuchState} {
		index, err := packets.Scan(t.Context(), &packetstest.Reader{Bytes: w.Bytes}, w.Tile, packets.Limits{NoteBytes: bytes})
		if err != nil {
			t.Fatal(err)
		}
		if !errors.Is(index.Damage(), want) {
			t.Errorf("%d bytes: damage %v, want %v", bytes, index.Damage(), want)
		}
	}
}

// TestFewBytesAskForFewNotes scans headers with contributions without bytes, layer after layer: six
// bits for each.
func TestFewBytesAskForFewNotes(t *testing.T) {
	const layers = 12
	random := newRandom(4)
	tile := square(1024, 10, layers, nil)
	blocks := packetstest.Content(tile, packetstest.Density{Blocks: 1, Layers: 1, MaxPasses: 1}, random)
	tile.Parts = nil
	w := packetstest.Write(tile, blocks, packetstest.Options{}, random)
	index, err := packets.Scan(t.Context(), &packetstest.Reader{Bytes: w.Bytes}, w.Tile, packets.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if !errors.Is(index.Damage(), packets.ErrTooMuchState) {
		t.Errorf("%d bytes: damage %v, want %v", len(w.Bytes), index.Damage(), packets.ErrTooMuchState)
	}
}
