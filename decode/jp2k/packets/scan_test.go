package packets_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/packets/packetstest"
	"tileserver/decode/jp2k/wavelet"
)

// encoded writes a random tile.
func encoded(seed uint64, m packetstest.Options) *packetstest.EncodedTile {
	random := newRandom(seed)
	t := packetstest.RandomShape(random).Tile()
	density := packetstest.Density{
		Blocks: random.Float64(), Layers: random.Float64(),
		MaxPasses: []int{1, 3, 20, 100}[random.IntN(4)], MaxBytes: []int{1, 40, 5000}[random.IntN(3)],
	}
	return packetstest.Write(t, packetstest.Content(t, density, random), m, random)
}

// checkBlocks compares all code-blocks with what was written.
func checkBlocks(t *testing.T, w *packetstest.EncodedTile, layers int, find func(packetstest.Key) packets.Blocks) {
	t.Helper()
	var block packets.Block
	for key, b := range w.Blocks {
		want := b.Expect(layers)
		found := find(key).Block(packets.Position(key), layers, &block)
		if found != (want.Passes > 0) {
			t.Fatalf("block %+v of %d layers: found %t, want %t", key, layers, found, want.Passes > 0)
		}
		if found {
			checkBlock(t, fmt.Sprintf("block %+v of %d layers", key, layers), w.Bytes, &block, &want)
		}
	}
}

func checkBlock(t *testing.T, name string, data []byte, got *packets.Block, want *packetstest.Expected) {
	t.Helper()
	var coded []byte
	for _, c := range got.Chunks {
		coded = append(coded, data[c.Offset:][:c.Length]...)
	}
	var segments [][2]int
	for _, s := range got.Segments {
		segments = append(segments, [2]int{s.Passes, s.Length})
	}
	if got.HT != want.HT || got.Passes != want.Passes || got.MissingBitPlanes != want.MissingBitPlanes {
		t.Errorf("%s: got %+v, want %+v", name, *got, *want)
	}
	if !reflect.DeepEqual(segments, want.Segments) {
		t.Errorf("%s: segments %v, want %v", name, segments, want.Segments)
	}
	if !bytes.Equal(coded, want.Bytes) || got.Length != len(coded) {
		t.Errorf("%s: bytes %v (length %d), want %v", name, coded, got.Length, want.Bytes)
	}
}

var variants = []struct {
	name    string
	options packetstest.Options
}{
	{"plain", packetstest.Options{}},
	{"markers", packetstest.Options{SOP: true, EPH: true}},
	{"some markers, parts", packetstest.Options{SOP: true, EPH: true, Sometimes: true, Parts: 4}},
	{"parts cut anywhere", packetstest.Options{EPH: true, Parts: 7, Straddle: true}},
	{"packed headers", packetstest.Options{PackedHeaders: true, Parts: 3}},
	{"packed headers, markers", packetstest.Options{PackedHeaders: true, SOP: true, EPH: true, Sometimes: true}},
}

func TestScan(t *testing.T) {
	for _, test := range variants {
		t.Run(test.name, func(t *testing.T) {
			for seed := range uint64(60) {
				w := encoded(seed, test.options)
				index, err := packets.Scan(t.Context(), &packetstest.Reader{Bytes: w.Bytes}, w.Tile, packets.DefaultLimits())
				if err != nil || index.Damage() != nil {
					t.Fatalf("seed %d: %v, damage %v", seed, err, index.Damage())
				}
				for _, layers := range []int{1, 2, w.Tile.Layers, packets.AllLayers} {
					checkBlocks(t, w, layers, func(packetstest.Key) packets.Blocks { return index })
				}
				checkStoredForm(t, w.Tile, index)
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// checkStoredForm compares an index with its stored form.
func checkStoredForm(t *testing.T, tile *codestream.Tile, index *packets.Index) {
	t.Helper()
	data := index.AppendBinary([]byte("before"))
	again, err := packets.Parse(tile, data[len("before"):], packets.DefaultLimits())
	if err != nil {
		t.Fatalf("parse of %d bytes: %v", len(data), err)
	}
	same := reflect.DeepEqual(index, again)
	if index.Damage() != nil { // the broken precincts are not stored
		same = bytes.Equal(again.AppendBinary(nil), index.AppendBinary(nil))
	}
	if !same {
		t.Error("not equal after a round trip")
	}
}

func TestScanReturnsErrorsOfTheReader(t *testing.T) {
	w := encoded(1, packetstest.Options{})
	broken := errors.New("broken")
	if _, err := packets.Scan(t.Context(), &packetstest.Reader{Bytes: w.Bytes, Fail: broken}, w.Tile, packets.DefaultLimits()); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

func TestLocated(t *testing.T) {
	for seed := range uint64(60) {
		w := encoded(seed, packetstest.Options{Lengths: true, SOP: seed%2 == 0, Parts: int(seed % 3)})
		if len(w.Packets) == 0 {
			continue
		}
		located, err := packets.Locate(t.Context(), w.Tile, packets.DefaultLimits())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, layers := range []int{1, packets.AllLayers} {
			checkBlocks(t, w, layers, func(k packetstest.Key) packets.Blocks { return precinctOf(t, w, located, k) })
		}
	}
}

// precinctOf reads the precinct of a code-block from only the bytes of AppendRanges.
func precinctOf(t *testing.T, w *packetstest.EncodedTile, located *packets.PacketMap, k packetstest.Key) packets.Blocks {
	t.Helper()
	blocks := wavelet.Rect{X0: k.Column, Y0: k.Row, X1: k.Column + 1, Y1: k.Row + 1}
	r := packets.PrecinctsOf(w.Tile, k.Component, k.Resolution, k.Band, blocks)
	if r.Width() != 1 || r.Height() != 1 {
		t.Fatalf("block %+v is in precincts %+v", k, r)
	}
	at := packets.PrecinctPosition{Component: k.Component, Resolution: k.Resolution, Column: r.X0, Row: r.Y0}
	scarce := make([]byte, len(w.Bytes))
	for _, r := range located.AppendRanges(nil, at, 1<<40) {
		copy(scarce[r.Offset:], w.Bytes[r.Offset:][:r.Length])
	}
	p, err := located.Precinct(t.Context(), &packetstest.Reader{Bytes: scarce}, at)
	if err != nil || p.Damage() != nil {
		t.Fatalf("precinct %+v: %v, damage %v", at, err, p.Damage())
	}
	return p
}
