package packets_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/packets/packetstest"
)

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// checkRanges checks that the chunks of every code-block are in the tile's parts.
func checkRanges(t *testing.T, tile *codestream.Tile, blocks packets.Blocks) {
	t.Helper()
	var block packets.Block
	for c := range tile.Components {
		for r := range tile.Components[c].Resolutions {
			for b := range tile.Components[c].Resolutions[r].Bands {
				band := &tile.Components[c].Resolutions[r].Bands[b]
				for i := range band.BlockColumns() * band.BlockRows() {
					at := packets.Position{Component: c, Resolution: r, Band: b, Column: i % band.BlockColumns(), Row: i / band.BlockColumns()}
					if blocks.Block(at, 1+i%3, &block) {
						checkChunks(t, tile, &block)
					}
				}
			}
		}
	}
}

func checkChunks(t *testing.T, tile *codestream.Tile, block *packets.Block) {
	t.Helper()
	left, passes := int64(0), 0
	for _, chunk := range block.Chunks {
		inside := false
		for _, p := range tile.Parts {
			inside = inside || chunk.Offset >= p.Offset && chunk.Offset+chunk.Length <= p.Offset+p.Length
		}
		if !inside || chunk.Length <= 0 {
			t.Fatalf("%+v is not in the parts %+v", chunk, tile.Parts)
		}
		left += chunk.Length
	}
	for _, s := range block.Segments {
		left, passes = left-int64(s.Length), passes+s.Passes
	}
	if left != 0 || passes != block.Passes || passes == 0 {
		t.Fatalf("%+v: segments, chunks and passes disagree", *block)
	}
}

// memoized returns a function that writes random tiles. It writes each of some tiles only once,
// since that takes longer than reading them. The caller may change the result.
func memoized() func(seed uint64, variant int) *packetstest.EncodedTile {
	type key struct {
		seed    uint64
		variant int
	}
	made := map[key]*packetstest.EncodedTile{}
	return func(seed uint64, variant int) *packetstest.EncodedTile {
		k := key{seed % 32, variant % len(variants)}
		if made[k] == nil {
			made[k] = encoded(k.seed, variants[k.variant].options)
		}
		w, tile := *made[k], *made[k].Tile
		tile.PackedHeaders, w.Bytes, w.Tile = bytes.Clone(tile.PackedHeaders), bytes.Clone(w.Bytes), &tile
		return &w
	}
}

func FuzzScan(f *testing.F) {
	for seed := range uint64(12) {
		f.Add(seed, uint8(seed), uint16(30), []byte{0xff, 0x7f, 0xff})
		f.Add(seed, uint8(seed), uint16(17), []byte{})
	}
	tile := memoized()
	f.Fuzz(func(t *testing.T, seed uint64, variant uint8, at uint16, patch []byte) {
		w := tile(seed, int(variant))
		for i, b := range patch {
			if n := int(at) + i; n < len(w.Tile.PackedHeaders) {
				w.Tile.PackedHeaders[n] = b
			} else if n -= len(w.Tile.PackedHeaders); n < len(w.Bytes) {
				w.Bytes[n] = b
			}
		}
		index, err := packets.Scan(t.Context(), &packetstest.Reader{Bytes: w.Bytes}, w.Tile, packets.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		checkRanges(t, w.Tile, index)
		checkStoredForm(t, w.Tile, index)
	})
}

func FuzzParseIndex(f *testing.F) {
	for seed := range uint64(12) {
		w := encoded(seed, variants[seed%uint64(len(variants))].options)
		index, err := packets.Scan(f.Context(), &packetstest.Reader{Bytes: w.Bytes}, w.Tile, packets.DefaultLimits())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed, index.AppendBinary(nil))
	}
	tiles := memoized()
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		tile := tiles(seed, int(seed%uint64(len(variants)))).Tile
		if body := len(data) - 4; body > 0 {
			binary.LittleEndian.PutUint32(data[body:], crc32.Checksum(data[:body], crc32.MakeTable(crc32.Castagnoli)))
		}
		index, err := packets.Parse(tile, data, packets.DefaultLimits())
		if err != nil {
			return
		}
		checkRanges(t, tile, index)
		checkStoredForm(t, tile, index)
	})
}
