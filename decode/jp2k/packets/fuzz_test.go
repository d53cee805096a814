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

// checkRanges asks for every code-block of a tile, and that its chunks are in the tile's parts.
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
		t.Fatalf("%+v: segments, chunks and passes do not agree", *block)
	}
}

// kept makes up tiles, each of some only once, since that takes longer than reading them. What it returns may be written to.
func kept() func(seed uint64, manner int) *packetstest.Written {
	type key struct {
		seed   uint64
		manner int
	}
	made := map[key]*packetstest.Written{}
	return func(seed uint64, manner int) *packetstest.Written {
		k := key{seed % 32, manner % len(manners)}
		if made[k] == nil {
			made[k] = written(k.seed, manners[k.manner].manner)
		}
		w, tile := *made[k], *made[k].Tile
		tile.PackedHeaders, w.Bytes, w.Tile = bytes.Clone(tile.PackedHeaders), bytes.Clone(w.Bytes), &tile
		return &w
	}
}

func FuzzWalk(f *testing.F) {
	for seed := range uint64(12) {
		f.Add(seed, uint8(seed), uint16(30), []byte{0xff, 0x7f, 0xff})
		f.Add(seed, uint8(seed), uint16(17), []byte{})
	}
	tile := kept()
	f.Fuzz(func(t *testing.T, seed uint64, manner uint8, at uint16, patch []byte) {
		w := tile(seed, int(manner))
		for i, b := range patch {
			if n := int(at) + i; n < len(w.Tile.PackedHeaders) {
				w.Tile.PackedHeaders[n] = b
			} else if n -= len(w.Tile.PackedHeaders); n < len(w.Bytes) {
				w.Bytes[n] = b
			}
		}
		index, err := packets.Walk(t.Context(), &packetstest.Reader{Bytes: w.Bytes}, w.Tile, packets.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		checkRanges(t, w.Tile, index)
		checkKept(t, w.Tile, index)
	})
}

func FuzzParseIndex(f *testing.F) {
	for seed := range uint64(12) {
		w := written(seed, manners[seed%uint64(len(manners))].manner)
		index, err := packets.Walk(f.Context(), &packetstest.Reader{Bytes: w.Bytes}, w.Tile, packets.DefaultLimits())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed, index.AppendBinary(nil))
	}
	tiles := kept()
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		tile := tiles(seed, int(seed%uint64(len(manners)))).Tile
		if body := len(data) - 4; body > 0 {
			binary.LittleEndian.PutUint32(data[body:], crc32.Checksum(data[:body], crc32.MakeTable(crc32.Castagnoli)))
		}
		index, err := packets.Parse(tile, data, packets.DefaultLimits())
		if err != nil {
			return
		}
		checkRanges(t, tile, index)
		checkKept(t, tile, index)
	})
}
