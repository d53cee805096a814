package codestream_test

import (
	"errors"
	"slices"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
)

// numbered returns one of count tile-parts, with the length of its one packet.
func numbered(number, count int) codestreamtest.TilePart {
	p := part(0, number)
	p.Count, p.Segments = count, [][]byte{codestreamtest.PLT(0, codestreamtest.Lengths(len(p.Body)))}
	return p
}

func TestMissingParts(t *testing.T) {
	tests := []struct {
		name    string
		numbers []int
		count   int
		want    []byte // the parts in order, by the first byte of their bodies
		gaps    []bool
	}{
		{"none", []int{0, 1, 2}, 3, []byte{0, 1, 2}, []bool{false, false, false}},
		{"one", []int{0, 1, 3}, 4, []byte{0, 1, 3}, []bool{false, false, true}},
		{"one, and no number is announced", []int{0, 1, 3, 4}, 0, []byte{0, 1, 3, 4}, []bool{false, false, true, false}},
		{"one of parts that are out of turn", []int{3, 0, 1}, 0, []byte{0, 1, 3}, []bool{false, false, true}},
		{"the first", []int{1, 2}, 3, []byte{1, 2}, []bool{true, false}},
		{"two", []int{0, 2, 4}, 5, []byte{0, 2, 4}, []bool{false, true, true}},
		{"a wrong number, since all announced parts exist", []int{0, 9, 2}, 3, []byte{0, 9, 2}, []bool{false, false, false}},
		{"numbers that repeat", []int{0, 3, 0}, 0, []byte{0, 3, 0}, []bool{false, false, false}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var parts []codestreamtest.TilePart
			for _, number := range test.numbers {
				parts = append(parts, numbered(number, test.count))
			}
			data := codestreamtest.Codestream(sixTiles(), parts...)
			_, tile := readTile(t, data, 0)
			var got []byte
			var gaps []bool
			for _, p := range tile.Parts {
				got, gaps = append(got, data[p.Offset]), append(gaps, p.AfterGap)
			}
			if !slices.Equal(got, test.want) || !slices.Equal(gaps, test.gaps) {
				t.Errorf("got parts %v, gaps %v, want %v, %v", got, gaps, test.want, test.gaps)
			}
			damaged := slices.Contains(test.gaps, true)
			if errors.Is(tile.Damage, codestream.ErrCorrupt) != damaged || (tile.PacketLengths == nil) != damaged {
				t.Errorf("got damage %v and lengths %v", tile.Damage, tile.PacketLengths)
			}
		})
	}
}

// A gap may have had progressions that precede those after it.
func TestProgressionsAfterGapAreIgnored(t *testing.T) {
	poc := codestreamtest.POC(1, codestream.Progression{Order: codestream.CPRL, EndResolution: 1, EndComponent: 1, EndLayer: 1})
	first, behind, last := part(0, 0), part(0, 2), part(0, 3)
	last.Segments = [][]byte{poc}
	_, tile := readTile(t, codestreamtest.Codestream(sixTiles(), first, behind, last), 0)
	if len(tile.Parts) != 2 || len(tile.Progressions) != 1 || tile.Progressions[0].Order != codestream.LRCP || tile.Damage == nil {
		t.Errorf("got parts %v, progressions %v, damage %v", tile.Parts, tile.Progressions, tile.Damage)
	}
}

// TestPartsOfATileAreBounded has a tile with far more parts than their numbers distinguish.
func TestPartsOfATileAreBounded(t *testing.T) {
	const parts, limit = 1 << 12, 256
	all := make([]codestreamtest.TilePart, parts)
	for i := range all {
		all[i] = numbered(i%256, 0)
	}
	r := &codestreamtest.Reader{Data: codestreamtest.Codestream(sixTiles(), all...), Piece: 1}
	h, err := codestream.ReadHeader(r, codestream.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := h.FindParts(r)
	if err != nil {
		t.Fatal(err)
	}
	r.Reads = 0
	tile, err := h.ReadTile(r, found, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(tile.Parts) != limit || !errors.Is(tile.Damage, codestream.ErrLimit) {
		t.Errorf("got %d parts and damage %v, want %d and %v", len(tile.Parts), tile.Damage, limit, codestream.ErrLimit)
	}
	if r.Reads > 8*limit {
		t.Errorf("%d reads, want at most %d", r.Reads, 8*limit)
	}
}
