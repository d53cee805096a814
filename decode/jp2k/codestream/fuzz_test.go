package codestream_test

import (
	"bytes"
	"slices"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
)

// smallLimits keeps fuzzed codestreams small.
func smallLimits() codestream.Limits {
	return codestream.Limits{
		Components: 100, Tiles: 1000, TileParts: 1000, HeaderBytes: 1 << 16, Bands: 5000, PackedHeaderBytes: 1 << 16, PacketLengths: 1000,
	}
}

func FuzzHeader(f *testing.F) {
	all := [][]byte{
		codestreamtest.COC(1, 3, withLevels(2)), codestreamtest.QCC(2, 3, withGuardBits(2)), codestreamtest.RGN(0, 3, 4),
		codestreamtest.POC(3, codestream.Progression{EndResolution: 2, EndComponent: 3, EndLayer: 1}),
		codestreamtest.PPM(0, codestreamtest.Counted([]byte("headers"))), codestreamtest.PLM(0, []byte{1, 5}),
		codestreamtest.Segment(0xFF50, []byte{0, 2, 0, 0, 0, 0}), codestreamtest.Segment(0xFF64, []byte("\x00\x01text")),
	}
	f.Add(codestreamtest.Codestream(sixTiles(), part(0, 0), part(4, 1), part(4, 0)))
	f.Add(codestreamtest.Codestream(sixTiles(codestreamtest.TLM(0, part(0, 0), part(5, 0))), part(0, 0), part(5, 0)))
	f.Add(codestreamtest.Codestream(codestreamtest.Header{
		Image: corners(3, 5, 64, 48), FirstTile: corners(1, 2, 70, 30), Components: slices.Repeat(gray(12), 3),
		Coding: codestreamtest.Coding{Levels: 2, Layers: 3, MultipleComponentTransform: true}, Segments: all,
	}, part(0, 0), part(1, 0)))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &codestreamtest.Reader{Data: data, Piece: 64}
		h, err := codestream.ReadHeader(r, smallLimits())
		if err != nil {
			if !isNamed(err) {
				t.Fatalf("%v is not a named error", err)
			}
			return
		}
		if at := h.FindPart(data); at >= 0 && (at >= len(data) || h.PartLength(data[at:]) <= 0) {
			t.Fatalf("a tile-part of %d bytes is found at %d of %d", h.PartLength(data[at:]), at, len(data))
		}
		if listed := h.Listed(int64(len(data))); listed != nil {
			for offset, length := range listed.Compared() {
				if offset < 0 || length <= 0 || offset+length > int64(len(data)) {
					t.Fatalf("%d bytes at %d of %d are compared", length, offset, len(data))
				}
			}
		}
		if h.Tiles() < 1 || h.Tiles() > 1000 || h.Length > int64(len(data)) {
			t.Fatalf("%d tiles, after %d bytes of %d", h.Tiles(), h.Length, len(data))
		}
		checkParts(t, h, r)
	})
}

// FuzzTile puts markers into the headers of two tile-parts, and after the main header.
func FuzzTile(f *testing.F) {
	coding := codestreamtest.COD(codestreamtest.Coding{Levels: 3, Irreversible: true})
	steps := codestreamtest.QCD(codestreamtest.Steps{Style: 1, Exponents: []int{9}})
	f.Add([]byte{}, coding, steps, []byte("body"))
	f.Add(codestreamtest.PPM(0, codestreamtest.Counted([]byte("x"))), codestreamtest.PLT(0, codestreamtest.Lengths(4)), []byte{}, []byte("body"))
	f.Add(codestreamtest.PLM(0, []byte{1, 4, 1, 4}), codestreamtest.COC(1, 3, withLevels(1)), codestreamtest.QCC(2, 3, withGuardBits(1)), []byte("body"))
	f.Add(
		codestreamtest.RGN(2, 3, 9), join(codestreamtest.PPT(1, []byte("b")), codestreamtest.PPT(0, []byte("a"))),
		codestreamtest.POC(3, codestream.Progression{EndResolution: 2, EndComponent: 3, EndLayer: 1}), []byte{},
	)
	f.Fuzz(func(t *testing.T, main, first, second, body []byte) {
		data := codestreamtest.Codestream(
			codestreamtest.Header{
				Image: corners(3, 5, 64, 48), Components: slices.Repeat(gray(8), 3),
				Coding: codestreamtest.Coding{Levels: 2}, Segments: [][]byte{main},
			},
			codestreamtest.TilePart{Segments: [][]byte{first}, Body: body},
			codestreamtest.TilePart{Number: 1, Segments: [][]byte{second}, Body: body},
		)
		r := codestreamtest.NewReader(data)
		h, err := codestream.ReadHeader(r, smallLimits())
		if err != nil {
			if !isNamed(err) {
				t.Fatalf("%v is not a named error", err)
			}
			return
		}
		checkParts(t, h, r)
	})
}

// checkParts reads all tiles and checks their invariants.
func checkParts(t *testing.T, h *codestream.Header, r *codestreamtest.Reader) {
	parts, err := h.FindParts(r)
	if err != nil {
		if !isNamed(err) {
			t.Fatalf("%v is not a named error", err)
		}
		return
	}
	stored, err := parts.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := h.ParseParts(stored, r.Size())
	if err != nil {
		t.Fatalf("stored parts: %v", err)
	}
	if twice, err := again.AppendBinary(nil); err != nil || !bytes.Equal(stored, twice) {
		t.Fatalf("stored % x, and then % x (%v)", stored, twice, err)
	}
	if again, err := h.ParseParts(r.Data, r.Size()); err == nil {
		checkTiles(t, h, r, again)
	}
	checkTiles(t, h, r, parts)
}

func checkTiles(t *testing.T, h *codestream.Header, r *codestreamtest.Reader, parts *codestream.Parts) {
	for i := range min(h.Tiles(), 20) {
		tile, err := h.ReadTile(r, parts, i)
		if err != nil {
			if !isNamed(err) {
				t.Fatalf("%v is not a named error", err)
			}
			continue
		}
		checkTile(t, h, tile)
		bytes := int64(0)
		for _, part := range tile.Parts {
			if part.Offset < h.Length || part.Length < 0 || part.Offset+part.Length > r.Size() {
				t.Fatalf("tile %d: part at %d of %d bytes", i, part.Offset, part.Length)
			}
			if part.AfterGap && (tile.Damage == nil || tile.PacketLengths != nil) {
				t.Fatalf("tile %d: a gap, damage %v and %d lengths of packets", i, tile.Damage, len(tile.PacketLengths))
			}
			bytes += part.Length
		}
		for _, length := range tile.PacketLengths {
			bytes -= int64(length)
		}
		if tile.PacketLengths != nil && bytes != 0 {
			t.Fatalf("tile %d: lengths of packets that miss %d bytes", i, bytes)
		}
	}
}
