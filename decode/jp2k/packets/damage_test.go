package packets_test

import (
	"bytes"
	"errors"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/packets/packetstest"
	"tileserver/decode/jp2k/wavelet"
)

// checkSound checks that all results are a prefix of what was written. It returns the number of
// complete code-blocks.
func checkSound(t *testing.T, w *packetstest.EncodedTile, blocks packets.Blocks, data []byte) (whole int) {
	t.Helper()
	var block packets.Block
	for key, b := range w.Blocks {
		if !blocks.Block(packets.Position(key), packets.AllLayers, &block) {
			continue
		}
		var coded []byte
		for _, c := range block.Chunks {
			coded = append(coded, data[c.Offset:][:c.Length]...)
		}
		want := b.Expect(packets.AllLayers)
		if bytes.Equal(coded, want.Bytes) && block.Passes == want.Passes {
			whole++
		} else if !b.HT && !bytes.HasPrefix(want.Bytes, coded) {
			t.Errorf("block %+v: bytes %v, want %v or a beginning of it", key, coded, want.Bytes)
		}
	}
	return whole
}

func TestTruncatedTiles(t *testing.T) {
	for seed := range uint64(20) {
		w := encoded(seed, packetstest.Options{SOP: seed%2 == 0, Parts: 2})
		last := w.Tile.Parts[len(w.Tile.Parts)-1]
		end, before := int(last.Offset+last.Length), 0
		for size := 0; size <= end; size += 1 + end/50 {
			data := w.Bytes[:size:size]
			index, err := packets.Scan(t.Context(), &packetstest.Reader{Bytes: data}, w.Tile, packets.DefaultLimits())
			if err != nil {
				t.Fatalf("seed %d, %d of %d bytes: %v", seed, size, end, err)
			}
			whole := checkSound(t, w, index, data)
			if whole < before {
				t.Errorf("seed %d, %d of %d bytes: %d blocks are whole, %d were of fewer bytes", seed, size, end, whole, before)
			}
			if size < end && last.Length > 0 && index.Damage() == nil {
				t.Errorf("seed %d, %d of %d bytes: no damage", seed, size, end)
			}
			checkStoredForm(t, w.Tile, index)
			before = whole
		}
	}
}

// grid returns a tile of one layer with 64 precincts of one code-block each, and a part for every
// 16.
func grid(m packetstest.Options) *packetstest.EncodedTile { return layered(1, m) }

// layered returns the same tile with the given number of layers.
func layered(layers int, m packetstest.Options) *packetstest.EncodedTile {
	random := newRandom(3)
	shape := packetstest.Shape{
		Rect:         wavelet.Rect{X1: 128, Y1: 128},
		Components:   []packetstest.Component{{DX: 1, DY: 1, BlockWidthLog2: 4, BlockHeightLog2: 4, Precincts: [][2]int{{4, 4}}}},
		Layers:       layers,
		Progressions: []codestream.Progression{{EndResolution: 33, EndComponent: 1, EndLayer: layers}},
	}
	tile := shape.Tile()
	blocks := packetstest.Content(tile, packetstest.Density{Blocks: 1, Layers: 1, MaxPasses: 9, MaxBytes: 100}, random)
	return packetstest.Write(tile, blocks, m, random)
}

func TestDamageCostsOnePart(t *testing.T) {
	tests := []struct {
		name   string
		manner packetstest.Options
		whole  int // code-blocks of 64
	}{
		{"no markers", packetstest.Options{Parts: 4}, 20},
		{"markers", packetstest.Options{Parts: 4, SOP: true}, 20 + 32},
		{"the last part", packetstest.Options{Parts: 1, SOP: true}, 20},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := grid(test.manner)
			at := w.Starts[20]
			for _, p := range w.Tile.Parts {
				if int64(at) < p.Length {
					at += int(p.Offset)
					break
				}
				at -= int(p.Length)
			}
			if test.manner.SOP {
				at += 6
			}
			copy(w.Bytes[at:], []byte{0xff, 0x7f, 0xff, 0x7f, 0xff, 0x7f, 0xff, 0x7f, 0xff, 0x7f})
			index, err := packets.Scan(t.Context(), &packetstest.Reader{Bytes: w.Bytes}, w.Tile, packets.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			var damage *packets.Damage
			if !errors.As(index.Damage(), &damage) || damage.Packet != 20 || !errors.Is(damage, packets.ErrHeader) {
				t.Errorf("damage %v, want that of packet 20", index.Damage())
			}
			if whole := checkSound(t, w, index, w.Bytes); whole != test.whole {
				t.Errorf("%d code-blocks are whole, want %d", whole, test.whole)
			}
			checkStoredForm(t, w.Tile, index)
		})
	}
}

// A packet is unreadable if the packet of the layer before was lost.
func TestLayersBehindLostPackets(t *testing.T) {
	w := layered(2, packetstest.Options{Parts: 7, SOP: true}) // a part begins with the second layer of a lost packet
	const inFirstPart = 4
	at := int(w.Tile.Parts[0].Offset) + w.Starts[inFirstPart] + 6
	copy(w.Bytes[at:], []byte{0xff, 0x7f, 0xff, 0x7f, 0xff, 0x7f, 0xff, 0x7f, 0xff, 0x7f})
	index, err := packets.Scan(t.Context(), &packetstest.Reader{Bytes: w.Bytes}, w.Tile, packets.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	var damage *packets.Damage
	if !errors.As(index.Damage(), &damage) || damage.Packet != inFirstPart {
		t.Errorf("damage %v, want that of packet %d", index.Damage(), inFirstPart)
	}
	if whole := checkSound(t, w, index, w.Bytes); whole == 0 {
		t.Error("nothing is whole, though most precincts are sound in both layers")
	}
}

func TestImpossibleLengths(t *testing.T) {
	spoil := map[string]func(*codestream.Tile){
		"none":           func(tile *codestream.Tile) { tile.PacketLengths = nil },
		"too few":        func(tile *codestream.Tile) { tile.PacketLengths = tile.PacketLengths[:63] },
		"too many":       func(tile *codestream.Tile) { tile.PacketLengths = append(tile.PacketLengths, 1) },
		"too short":      func(tile *codestream.Tile) { tile.PacketLengths[63]-- },
		"across a part":  func(tile *codestream.Tile) { tile.PacketLengths[15]++; tile.PacketLengths[16]-- },
		"packed headers": func(tile *codestream.Tile) { tile.PackedHeaders = []byte{0} },
	}
	for name, change := range spoil {
		t.Run(name, func(t *testing.T) {
			w := grid(packetstest.Options{Parts: 4, Lengths: true})
			change(w.Tile)
			if _, err := packets.Locate(t.Context(), w.Tile, packets.DefaultLimits()); !errors.Is(err, packets.ErrNoLengths) {
				t.Errorf("got %v, want %v", err, packets.ErrNoLengths)
			}
		})
	}
}

func TestReservedLengths(t *testing.T) {
	w := grid(packetstest.Options{Parts: 2, Lengths: true})
	w.Tile.PacketLengths = append(w.Tile.PacketLengths, 0, 0, 0)
	located, err := packets.Locate(t.Context(), w.Tile, packets.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	checkBlocks(t, w, 1, func(k packetstest.Key) packets.Blocks { return precinctOf(t, w, located, k) })
}

// partialReader has parts of a codestream available, and counts the reads of other parts.
type partialReader struct {
	packetstest.Reader
	parts  []packets.Range
	beside int
}

func (r *partialReader) Peek(offset int64, minLength int) ([]byte, error) {
	for _, p := range r.parts {
		if offset >= p.Offset && offset+int64(minLength) <= p.Offset+p.Length {
			return r.Bytes[offset : p.Offset+p.Length], nil
		}
	}
	r.beside++
	return r.Reader.Peek(offset, minLength)
}

func TestBytesAtHandAreEnough(t *testing.T) {
	for seed := range uint64(20) {
		w := encoded(seed, packetstest.Options{Lengths: true, SOP: seed%2 == 0, EPH: seed%3 == 0})
		if len(w.Packets) == 0 {
			continue
		}
		located, err := packets.Locate(t.Context(), w.Tile, packets.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		for _, packet := range w.Packets {
			columns := w.Tile.Components[packet.Component].Resolutions[packet.Resolution].PrecinctColumns
			at := packets.PrecinctPosition{
				Component: packet.Component, Resolution: packet.Resolution,
				Column: packet.Precinct % columns, Row: packet.Precinct / columns,
			}
			r := &partialReader{Reader: packetstest.Reader{Bytes: w.Bytes}}
			r.parts = located.AppendRanges(nil, at, int64(w.Headers)+8)
			if p, err := located.Precinct(t.Context(), r, at); err != nil || p.Damage() != nil || r.beside > 0 {
				t.Fatalf("seed %d, precinct %+v: %v, damage %v, %d reads of other bytes", seed, at, err, p.Damage(), r.beside)
			}
		}
	}
}

func TestDamagedPrecinctReturnsError(t *testing.T) {
	w := grid(packetstest.Options{Lengths: true})
	at := packets.PrecinctPosition{Column: 4, Row: 2} // packet 20
	w.Tile.PacketLengths[20], w.Tile.PacketLengths[21] = w.Tile.PacketLengths[20]-1, w.Tile.PacketLengths[21]+1
	located, err := packets.Locate(t.Context(), w.Tile, packets.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	p, err := located.Precinct(t.Context(), &packetstest.Reader{Bytes: w.Bytes}, at)
	if err != nil || !errors.Is(p.Damage(), packets.ErrHeader) {
		t.Errorf("%v, damage %v, want %v", err, p.Damage(), packets.ErrHeader)
	}
	if p.Block(packets.Position{Column: 4, Row: 2}, 1, new(packets.Block)) {
		t.Error("a block of a damaged packet was found")
	}
	if _, err := located.Precinct(t.Context(), &packetstest.Reader{Bytes: w.Bytes}, packets.PrecinctPosition{Column: 8}); err == nil {
		t.Error("a precinct outside the tile was found")
	}
}

func TestNothingIsFoundOutsideTile(t *testing.T) {
	w := grid(packetstest.Options{})
	index, err := packets.Scan(t.Context(), &packetstest.Reader{Bytes: w.Bytes}, w.Tile, packets.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []packets.Position{
		{Component: -1}, {Component: 1}, {Resolution: -1}, {Resolution: 1}, {Band: -1}, {Band: 1}, {Column: -1}, {Column: 8}, {Row: -1}, {Row: 8},
	} {
		if index.Block(at, packets.AllLayers, new(packets.Block)) {
			t.Errorf("%+v was found", at)
		}
	}
	if index.Block(packets.Position{}, 0, new(packets.Block)) {
		t.Error("a block of no layers was found")
	}
}

func TestParseRejectsOtherIndexes(t *testing.T) {
	w := grid(packetstest.Options{})
	index, err := packets.Scan(t.Context(), &packetstest.Reader{Bytes: w.Bytes}, w.Tile, packets.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	sound := index.AppendBinary(nil)
	neighbor, longer := *w.Tile, *w.Tile
	neighbor.Number++
	longer.Parts = []codestream.TilePart{{Length: w.Tile.Parts[0].Length + 1}}
	tests := []struct {
		name string
		tile *codestream.Tile
		data []byte
	}{
		{"nothing", w.Tile, nil},
		{"a byte", w.Tile, []byte{2}},
		{"truncated", w.Tile, sound[:len(sound)-1]},
		{"a byte too many", w.Tile, append(bytes.Clone(sound), 0)},
		{"from another tile of the same shape", &neighbor, sound},
		{"from other bytes", &longer, sound},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := packets.Parse(test.tile, test.data, packets.DefaultLimits()); !errors.Is(err, packets.ErrInvalidIndex) {
				t.Errorf("got %v, want %v", err, packets.ErrInvalidIndex)
			}
		})
	}
	for i := range sound {
		spoilt := bytes.Clone(sound)
		spoilt[i] ^= 1 << (i % 8)
		if _, err := packets.Parse(w.Tile, spoilt, packets.DefaultLimits()); !errors.Is(err, packets.ErrInvalidIndex) {
			t.Fatalf("byte %d of %d changed: got %v, want %v", i, len(sound), err, packets.ErrInvalidIndex)
		}
	}
}
