package codestream_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
)

func TestPackedHeadersOfTheImage(t *testing.T) {
	cachedReader := [][]byte{[]byte("first"), {}, []byte("the third, which is long"), []byte("4")}
	var stream []byte
	for _, piece := range cachedReader {
		stream = append(stream, codestreamtest.Counted(piece)...)
	}
	parts := []codestreamtest.TilePart{part(1, 0), part(0, 0), part(2, 0), part(1, 1)}
	// The second segment begins within a number, the third within a piece, and they are not in
	// order.
	for _, cuts := range [][2]int{{7, 20}, {0, 11}, {12, 15}, {4, 9}, {len(stream), len(stream)}} {
		data := codestreamtest.Codestream(sixTiles(
			codestreamtest.PPM(9, stream[cuts[1]:]), codestreamtest.PPM(0, stream[:cuts[0]]), codestreamtest.PPM(3, stream[cuts[0]:cuts[1]]),
		), parts...)
		for number, want := range []string{"", "first4", "the third, which is long"} {
			h, tile := readTile(t, data, number)
			if tile.PackedHeaders == nil || string(tile.PackedHeaders) != want {
				t.Errorf("cuts %v, tile %d: got %q, want %q", cuts, number, tile.PackedHeaders, want)
			}
			if !h.PackedHeaders {
				t.Error("the header does not say so")
			}
		}
	}
}

func TestTruncatedPackedHeadersAreDamage(t *testing.T) {
	data := codestreamtest.Codestream(sixTiles(codestreamtest.PPM(0, codestreamtest.Counted([]byte("only one")))), part(1, 0), part(0, 0))
	if _, tile := readTile(t, data, 1); tile.Damage != nil || string(tile.PackedHeaders) != "only one" {
		t.Errorf("got %q and damage %v", tile.PackedHeaders, tile.Damage)
	}
	if _, tile := readTile(t, data, 0); !errors.Is(tile.Damage, codestream.ErrCorrupt) || tile.PackedHeaders == nil {
		t.Errorf("got damage %v and packed headers %v", tile.Damage, tile.PackedHeaders)
	}
}

func TestPackedHeadersOfATile(t *testing.T) {
	first, second, third := part(1, 0), part(1, 1), part(1, 2)
	first.Segments = [][]byte{codestreamtest.PPT(1, []byte("two ")), codestreamtest.PPT(0, []byte("one "))}
	third.Segments = [][]byte{codestreamtest.PPT(0, []byte("three "))} // some encoders start again in each part
	_, tile := readTile(t, codestreamtest.Codestream(sixTiles(), first, third, second), 1)
	if got, want := string(tile.PackedHeaders), "one two three "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, tile = readTile(t, codestreamtest.Codestream(sixTiles(), part(1, 0)), 1); tile.PackedHeaders != nil {
		t.Errorf("got %q, want none", tile.PackedHeaders)
	}
}

func TestLengthsOfPackets(t *testing.T) {
	whole := codestreamtest.Lengths(3, 200, 0, 70000)
	sized := func(number, size int, segments ...[]byte) codestreamtest.TilePart {
		return codestreamtest.TilePart{Number: number, Body: make([]byte, size), Segments: segments}
	}
	lengths := codestreamtest.Lengths
	tests := []struct {
		name  string
		image [][]byte
		parts []codestreamtest.TilePart
		want  []uint32
	}{
		{name: "one marker", parts: []codestreamtest.TilePart{sized(0, 70203, codestreamtest.PLT(0, whole))}, want: []uint32{3, 200, 0, 70000}},
		{
			name:  "a number across markers that are out of turn",
			parts: []codestreamtest.TilePart{sized(0, 70203, codestreamtest.PLT(1, whole[2:]), codestreamtest.PLT(0, whole[:2]))},
			want:  []uint32{3, 200, 0, 70000},
		},
		{
			name:  "two parts",
			parts: []codestreamtest.TilePart{sized(1, 8, codestreamtest.PLT(0, lengths(8))), sized(0, 5, codestreamtest.PLT(0, lengths(1, 4)))},
			want:  []uint32{1, 4, 8},
		},
		{
			name:  "an empty part that has none",
			parts: []codestreamtest.TilePart{sized(0, 5, codestreamtest.PLT(0, lengths(5))), sized(1, 0)},
			want:  []uint32{5},
		},
		{name: "a part that has none", parts: []codestreamtest.TilePart{sized(0, 5, codestreamtest.PLT(0, lengths(5))), sized(1, 1)}},
		{name: "too few bytes", parts: []codestreamtest.TilePart{sized(0, 5, codestreamtest.PLT(0, lengths(4)))}},
		{name: "too many bytes", parts: []codestreamtest.TilePart{sized(0, 5, codestreamtest.PLT(0, lengths(4, 2)))}},
		{name: "a number that does not end", parts: []codestreamtest.TilePart{sized(0, 5, codestreamtest.PLT(0, []byte{5, 0x80}))}},
		{name: "a number without end", parts: []codestreamtest.TilePart{sized(0, 5, codestreamtest.PLT(0, bytes.Repeat([]byte{0xFF}, 99)))}},
		{
			name:  "of the image",
			image: [][]byte{codestreamtest.PLM(1, []byte{5, 1, 2, 1}), codestreamtest.PLM(0, []byte{2, 1, 4, 1, 8, 0})},
			parts: []codestreamtest.TilePart{sized(0, 5), sized(1, 8), sized(2, 0), sized(3, 9)},
		},
		{
			name:  "of the image, across markers",
			image: [][]byte{codestreamtest.PLM(1, []byte{4, 1, 8}), codestreamtest.PLM(0, []byte{2, 1})},
			parts: []codestreamtest.TilePart{sized(0, 5), sized(1, 8)},
			want:  []uint32{1, 4, 8},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := codestreamtest.Header{Image: rect{X1: 9, Y1: 9}, Components: gray(8), Segments: test.image}
			_, tile := readTile(t, codestreamtest.Codestream(h, test.parts...), 0)
			if !slices.Equal(tile.PacketLengths, test.want) {
				t.Errorf("got %v, want %v", tile.PacketLengths, test.want)
			}
			if (tile.PacketLengths == nil) != (test.want == nil) {
				t.Errorf("got nil: %v, want it: %v", tile.PacketLengths == nil, test.want == nil)
			}
		})
	}
}

func TestLengthsBeyondLimitAreIgnored(t *testing.T) {
	data := codestreamtest.Codestream(sixTiles(), codestreamtest.TilePart{
		Body: make([]byte, 9), Segments: [][]byte{codestreamtest.PLT(0, codestreamtest.Lengths(2, 3, 4))},
	})
	r := codestreamtest.NewReader(data)
	for limit, want := range map[int]int{2: 0, 3: 3} {
		h, err := codestream.ReadHeader(r, codestream.Limits{PacketLengths: limit})
		if err != nil {
			t.Fatal(err)
		}
		parts, err := h.FindParts(r)
		if err != nil {
			t.Fatal(err)
		}
		tile, err := h.ReadTile(r, parts, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(tile.PacketLengths) != want {
			t.Errorf("limit %d: got %v, want %d lengths", limit, tile.PacketLengths, want)
		}
	}
}

// Pieces in the main header beyond the maximum number of tile-parts belong to no part and are
// ignored.
func TestPiecesBeyondMaxPartsAreIgnored(t *testing.T) {
	empty := make([]byte, 4*50)
	data := codestreamtest.Codestream(sixTiles(codestreamtest.PLM(0, empty), codestreamtest.PPM(0, empty)), part(0, 0))
	r := codestreamtest.NewReader(data)
	h, err := codestream.ReadHeader(r, codestream.Limits{TileParts: 3})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := h.FindParts(r)
	if err != nil {
		t.Fatal(err)
	}
	if limit := int64(1 << 10); parts.Bytes() > limit {
		t.Errorf("one part takes %d bytes, want at most %d", parts.Bytes(), limit)
	}
	tile, err := h.ReadTile(r, parts, 0)
	if err != nil || tile.Damage != nil || tile.PackedHeaders == nil {
		t.Errorf("got %+v, %v", tile, err)
	}
}
