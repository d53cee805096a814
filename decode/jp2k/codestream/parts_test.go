package codestream_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
)

// sixTiles returns the header of an image of 3 x 2 tiles.
func sixTiles(segments ...[]byte) codestreamtest.Header {
	return codestreamtest.Header{
		Image: rect{X1: 30, Y1: 15}, FirstTile: rect{X1: 11, Y1: 9}, Components: gray(8), Segments: segments,
	}
}

// part returns a tile-part whose body identifies it.
func part(tile, number int) codestreamtest.TilePart {
	return codestreamtest.TilePart{Tile: tile, Number: number, Body: bytes.Repeat([]byte{byte(16*tile + number)}, 5+tile)}
}

func join(cachedReader ...[]byte) []byte { return slices.Concat(cachedReader...) }

// bodies returns the first byte of each part, by tile.
func bodies(t *testing.T, data []byte, h *codestream.Header, parts *codestream.Parts) [][]byte {
	t.Helper()
	all := make([][]byte, h.Tiles())
	for i := range all {
		tile, err := h.ReadTile(codestreamtest.NewReader(data), parts, i)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range tile.Parts {
			all[i] = append(all[i], data[part.Offset])
		}
		if len(tile.Parts) != parts.OfTile(i) {
			t.Errorf("tile %d: %d parts, and %d were found", i, len(tile.Parts), parts.OfTile(i))
		}
	}
	return all
}

func TestTilePartsInOrder(t *testing.T) {
	main := sixTiles().Bytes()
	inOrder := join(part(0, 0).Bytes(), part(1, 0).Bytes(), part(2, 0).Bytes(), part(3, 0).Bytes(), part(4, 0).Bytes(), part(5, 0).Bytes())
	each := [][]byte{{0}, {16}, {32}, {48}, {64}, {80}}
	end := []byte{0xFF, 0xD9}
	open, long, short, stray, wrongCount := part(5, 0), part(5, 0), part(1, 1), part(6, 0), part(0, 1)
	open.Open, long.Length, short.Length, wrongCount.Count = true, 99, 11, 9
	tests := []struct {
		name    string
		data    []byte
		want    [][]byte
		damaged bool
	}{
		{name: "in order", data: join(main, inOrder, end), want: each},
		{name: "without an end", data: join(main, inOrder), want: each},
		{name: "with bytes behind the end", data: join(main, inOrder, end, []byte("and more, and more")), want: each},
		{name: "with bytes in place of the end", data: join(main, inOrder, []byte("and more, and more")), want: each},
		{
			name: "interleaved, numbers of parts out of turn, and a wrong count",
			data: join(main, part(5, 1).Bytes(), part(0, 0).Bytes(), part(5, 0).Bytes(), wrongCount.Bytes(), end),
			want: [][]byte{{0, 1}, nil, nil, nil, nil, {80, 81}},
		},
		{
			name: "parts with equal numbers", data: join(main, part(2, 3).Bytes(), part(2, 0).Bytes(), part(2, 3).Bytes(), end),
			want: [][]byte{nil, nil, {35, 32, 35}, nil, nil, nil},
		},
		{name: "no tile-part at all", data: join(main, end), want: make([][]byte, 6)},
		{
			name: "a last part that goes to the end", data: join(main, part(1, 0).Bytes(), open.Bytes(), end),
			want: [][]byte{nil, {16}, nil, nil, nil, {80}},
		},
		{
			name: "a truncated last part", data: join(main, part(1, 0).Bytes(), long.Bytes()),
			want: [][]byte{nil, {16}, nil, nil, nil, {80}}, damaged: true,
		},
		{
			name: "a part that is shorter than its header", data: join(main, part(1, 0).Bytes(), short.Bytes(), part(2, 0).Bytes()),
			want: [][]byte{nil, {16}, nil, nil, nil, nil}, damaged: true,
		},
		{
			name: "a tile beyond the image", data: join(main, part(1, 0).Bytes(), stray.Bytes(), part(2, 0).Bytes()),
			want: [][]byte{nil, {16}, {32}, nil, nil, nil}, damaged: true,
		},
		{
			name: "an end before the last tile", data: join(main, part(1, 0).Bytes(), part(2, 0).Bytes()),
			want: [][]byte{nil, {16}, {32}, nil, nil, nil}, damaged: true,
		},
		{
			name: "an end before the last part", data: join(main, inOrder, wrongCount.Bytes()),
			want: [][]byte{{0, 1}, {16}, {32}, {48}, {64}, {80}}, damaged: true,
		},
		{
			name: "something else between", data: join(main, part(1, 0).Bytes(), []byte("what is this?"), part(2, 0).Bytes()),
			want: [][]byte{nil, {16}, nil, nil, nil, nil}, damaged: true,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := codestreamtest.NewReader(test.data)
			h, err := codestream.ReadHeader(r, codestream.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			parts, err := h.FindParts(r)
			if err != nil {
				t.Fatal(err)
			}
			if got := bodies(t, test.data, h, parts); !slices.EqualFunc(got, test.want, bytes.Equal) {
				t.Errorf("got %v, want %v", got, test.want)
			}
			if (parts.Damage() != nil) != test.damaged {
				t.Errorf("got damage %v, want %v", parts.Damage(), test.damaged)
			}
			checkStoredForm(t, h, parts, test.data)
		})
	}
}

// checkStoredForm checks that parts are equal after storing and reading.
func checkStoredForm(t *testing.T, h *codestream.Header, parts *codestream.Parts, data []byte) {
	t.Helper()
	stored, err := parts.AppendBinary([]byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := h.ParseParts(stored[1:], int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := bodies(t, data, h, again), bodies(t, data, h, parts); !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("stored: got %v, want %v", got, want)
	}
	if (again.Damage() == nil) != (parts.Damage() == nil) || again.Count() != parts.Count() {
		t.Errorf("stored: got %d parts and damage %v, want %d and %v", again.Count(), again.Damage(), parts.Count(), parts.Damage())
	}
	for length := range len(stored) - 1 {
		if _, err := h.ParseParts(stored[1:1+length], int64(len(data))); err == nil {
			t.Errorf("the first %d bytes of %d were accepted", length, len(stored)-1)
		}
	}
	if _, err := h.ParseParts(stored[1:], int64(len(data))+1); err == nil {
		t.Error("parts of a codestream of another size were accepted")
	}
}

func TestDamagedLastPartIsDamageOfItsTile(t *testing.T) {
	whole := join(sixTiles().Bytes(), part(1, 0).Bytes(), part(5, 0).Bytes())
	r := codestreamtest.NewReader(whole[:len(whole)-3])
	h, err := codestream.ReadHeader(r, codestream.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := h.FindParts(r)
	if err != nil {
		t.Fatal(err)
	}
	for number, damaged := range []bool{false, false, false, false, false, true} {
		tile, err := h.ReadTile(r, parts, number)
		if err != nil {
			t.Fatal(err)
		}
		if (tile.Damage != nil) != damaged {
			t.Errorf("tile %d: got damage %v, want %v", number, tile.Damage, damaged)
		}
		if damaged && tile.Parts[0].Length != 7 {
			t.Errorf("got %d bytes, want the 7 that are there", tile.Parts[0].Length)
		}
	}
}

// Small tile-parts take few reads, however many they are.
func TestManySmallPartsTakeFewReads(t *testing.T) {
	const columns, rows, piece = 250, 200, 1 << 16
	data := codestreamtest.Header{
		Image: rect{X1: columns, Y1: rows}, FirstTile: rect{X1: 1, Y1: 1}, Components: gray(8),
	}.Bytes()
	for i := range columns * rows {
		data = append(data, codestreamtest.TilePart{Tile: i}.Bytes()...)
		data = append(data, codestreamtest.TilePart{Tile: i, Number: 1}.Bytes()...)
	}
	r := &codestreamtest.Reader{Data: data, Piece: piece}
	h, err := codestream.ReadHeader(r, codestream.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	r.Reads = 0
	parts, err := h.FindParts(r)
	if err != nil {
		t.Fatal(err)
	}
	if parts.Count() != 2*columns*rows {
		t.Errorf("got %d tile-parts, want %d", parts.Count(), 2*columns*rows)
	}
	if limit := len(data)/piece + 2; r.Reads > limit {
		t.Errorf("%d reads, want at most %d", r.Reads, limit)
	}
	if limit := int64(16*2*columns*rows + 4*columns*rows + 64); parts.Bytes() > limit {
		t.Errorf("%d bytes of memory, want at most %d", parts.Bytes(), limit)
	}
}

func TestReaderErrorsAreReturned(t *testing.T) {
	away := errors.New("unreachable")
	data := codestreamtest.Codestream(sixTiles(), part(0, 0))
	r := codestreamtest.NewReader(data)
	h, err := codestream.ReadHeader(r, codestream.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := h.FindParts(r)
	if err != nil {
		t.Fatal(err)
	}
	broken := &codestreamtest.Reader{Data: data, Error: away}
	if _, err := codestream.ReadHeader(broken, codestream.Limits{}); !errors.Is(err, away) {
		t.Errorf("ReadHeader: got %v, want %v", err, away)
	}
	if _, err := h.FindParts(broken); !errors.Is(err, away) {
		t.Errorf("FindParts: got %v, want %v", err, away)
	}
	if _, err := h.ReadTile(broken, parts, 0); !errors.Is(err, away) {
		t.Errorf("ReadTile: got %v, want %v", err, away)
	}
}

// tableSegment returns a TLM with tile numbers of the given bytes, and lengths of two or four
// bytes.
func tableSegment(index, numberBytes int, wide bool, parts ...codestreamtest.TilePart) []byte {
	sizes := byte(numberBytes << 4)
	if wide {
		sizes |= 0x40
	}
	body := []byte{byte(index), sizes}
	for _, p := range parts {
		switch numberBytes {
		case 1:
			body = append(body, byte(p.Tile))
		case 2:
			body = binary.BigEndian.AppendUint16(body, uint16(p.Tile))
		}
		if length := len(p.Bytes()); wide {
			body = binary.BigEndian.AppendUint32(body, uint32(length))
		} else {
			body = binary.BigEndian.AppendUint16(body, uint16(length))
		}
	}
	return codestreamtest.Segment(0xFF55, body)
}

func TestTablesOfTileParts(t *testing.T) {
	all := []codestreamtest.TilePart{part(0, 0), part(1, 0), part(2, 0), part(3, 0), part(4, 0), part(5, 0)}
	mixed := []codestreamtest.TilePart{part(4, 0), part(0, 0), part(4, 1), part(2, 0)}
	tests := []struct {
		name  string
		table [][]byte
		parts []codestreamtest.TilePart
		reads int // to find the parts, with reads of twelve bytes
	}{
		{"numbers left out, short lengths", [][]byte{tableSegment(0, 0, false, all...)}, all, 3},
		{"numbers left out, long lengths", [][]byte{tableSegment(0, 0, true, all...)}, all, 3},
		{"numbers of a byte", [][]byte{tableSegment(0, 1, false, mixed...)}, mixed, 3},
		{"numbers of two bytes", [][]byte{tableSegment(7, 2, true, mixed...)}, mixed, 3},
		{
			"several, out of turn and of different kinds",
			[][]byte{tableSegment(2, 2, true, mixed[3]), tableSegment(0, 1, false, mixed[:2]...), tableSegment(1, 2, false, mixed[2])},
			mixed, 3,
		},
		{"too few", [][]byte{tableSegment(0, 1, false, mixed[:3]...)}, mixed, 8},
		{"of a wrong kind", [][]byte{codestreamtest.Segment(0xFF55, []byte{0, 0x30, 0, 0, 0})}, mixed, 5},
		{"with half an entry", [][]byte{codestreamtest.Segment(0xFF55, []byte{0, 0x50, 0, 0})}, mixed, 5},
		{"empty", [][]byte{codestreamtest.Segment(0xFF55, nil)}, mixed, 5},
		{"of other tiles", [][]byte{tableSegment(0, 1, false, part(5, 0), mixed[1], mixed[2], mixed[3])}, mixed, 6},
		{"of no tile", [][]byte{tableSegment(0, 1, false, part(6, 0))}, mixed, 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data := codestreamtest.Codestream(sixTiles(test.table...), test.parts...)
			r := &codestreamtest.Reader{Data: data, Piece: 12}
			h, err := codestream.ReadHeader(r, codestream.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			r.Reads = 0
			parts, err := h.FindParts(r)
			if err != nil {
				t.Fatal(err)
			}
			if r.Reads != test.reads {
				t.Errorf("%d reads, want %d", r.Reads, test.reads)
			}
			want := make([][]byte, 6)
			for _, p := range test.parts {
				want[p.Tile] = append(want[p.Tile], p.Body[0])
			}
			if got := bodies(t, data, h, parts); !slices.EqualFunc(got, want, bytes.Equal) {
				t.Errorf("got %v, want %v", got, want)
			}
			checkStoredForm(t, h, parts, data)
		})
	}
}

// A wrong entry in the middle of a table is detected when the tile is read.
func TestWrongTables(t *testing.T) {
	parts := []codestreamtest.TilePart{part(0, 0), part(1, 0), part(1, 1), part(3, 0)}
	table := tableSegment(0, 1, false, part(0, 0), part(1, 0), part(2, 0), part(3, 0))
	table[len(table)-4]-- // the third length, of a part of tile 2
	data := codestreamtest.Codestream(sixTiles(table), parts...)
	r := codestreamtest.NewReader(data)
	h, err := codestream.ReadHeader(r, codestream.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := h.FindParts(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.ReadTile(r, found, 0); err != nil {
		t.Errorf("tile 0: %v", err)
	}
	if _, err := h.ReadTile(r, found, 2); !errors.Is(err, codestream.ErrMisplaced) {
		t.Errorf("tile 2: got %v, want %v", err, codestream.ErrMisplaced)
	}
	walked, err := h.ScanParts(r)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]byte{{0}, {16, 17}, nil, {48}, nil, nil}
	if got := bodies(t, data, h, walked); !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTablesOfTruncatedCodestreams(t *testing.T) {
	all := []codestreamtest.TilePart{part(0, 0), part(1, 0), part(2, 0), part(3, 0), part(4, 0), part(5, 0)}
	data := codestreamtest.Codestream(sixTiles(tableSegment(0, 0, false, all...)), all...)
	cut := data[:len(data)-2-len(all[5].Bytes())-len(all[4].Bytes())-2]
	r := codestreamtest.NewReader(cut)
	h, err := codestream.ReadHeader(r, codestream.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := h.FindParts(r)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]byte{{0}, {16}, {32}, {48}, nil, nil}
	if got := bodies(t, cut, h, parts); !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !errors.Is(parts.Damage(), codestream.ErrCorrupt) {
		t.Errorf("got damage %v, want %v", parts.Damage(), codestream.ErrCorrupt)
	}
}

// A file may have been truncated after its header was read.
func TestCodestreamThatEndsInHeader(t *testing.T) {
	parts := []codestreamtest.TilePart{part(0, 0), part(1, 0)}
	data := codestreamtest.Codestream(sixTiles(codestreamtest.TLM(0, parts...)), parts...)
	h, err := codestream.ReadHeader(codestreamtest.NewReader(data), codestream.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := h.FindParts(codestreamtest.NewReader(data[:h.Length-1]))
	if err != nil {
		t.Fatal(err)
	}
	if found.Count() != 0 || found.Damage() == nil {
		t.Errorf("got %d parts and damage %v, want no parts and some damage", found.Count(), found.Damage())
	}
}

// Behind the last tile-part there is only the end marker, which may lie far away.
func TestNothingIsReadBehindTheLastTilePart(t *testing.T) {
	header := sixTiles()
	var all [][]byte
	for tile := range 6 {
		all = append(all, part(tile, 0).Bytes())
	}
	for name, test := range map[string]struct {
		data  []byte
		reads int
	}{
		"all tiles":   {join(header.Bytes(), join(all...), []byte{0xFF, 0xD9}), 6},
		"one missing": {join(header.Bytes(), join(all[:5]...), []byte{0xFF, 0xD9}), 6}, // five, and the marker
	} {
		h, err := codestream.ReadHeader(codestreamtest.NewReader(test.data), codestream.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		r := &codestreamtest.Reader{Data: test.data, Piece: 1}
		if parts, err := h.FindParts(r); err != nil || parts.Damage() != nil || r.Reads != test.reads {
			t.Errorf("%s: %d reads, want %d (%v, %v)", name, r.Reads, test.reads, err, parts.Damage())
		}
	}
}

// What a table of tile-parts is compared with can be read before it is.
func TestListedTilePartsAreComparedWhereTheySay(t *testing.T) {
	var all []codestreamtest.TilePart
	var bodies [][]byte
	for tile := range 6 {
		all, bodies = append(all, part(tile, 0)), append(bodies, part(tile, 0).Bytes())
	}
	data := join(sixTiles(codestreamtest.TLM(0, all...)).Bytes(), join(bodies...), []byte{0xFF, 0xD9})
	h, err := codestream.ReadHeader(codestreamtest.NewReader(data), codestream.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	listed, size := h.Listed(int64(len(data))), int64(len(data))
	var got [][2]int64
	for offset, length := range listed.Compared() {
		got = append(got, [2]int64{offset, length})
	}
	last := size - 2 - int64(len(bodies[5]))
	if want := [][2]int64{{h.Length, 12}, {last, 12}, {size - 2, 2}}; !slices.Equal(got, want) {
		t.Errorf("it is compared at %v, want %v", got, want)
	}
	for offset, length := range listed.Of(5) {
		if offset != last || length != int64(len(bodies[5])) {
			t.Errorf("the last tile is listed with %d bytes at %d, want %d at %d", length, offset, len(bodies[5]), last)
		}
	}
	plain := join(sixTiles().Bytes(), join(bodies...))
	if h, err := codestream.ReadHeader(codestreamtest.NewReader(plain), codestream.Limits{}); err != nil || h.Listed(int64(len(plain))) != nil {
		t.Errorf("tile-parts are listed without a table (%v)", err)
	}
}

func TestTilePartsAreFoundByTheirBeginning(t *testing.T) {
	h, err := codestream.ReadHeader(codestreamtest.NewReader(join(sixTiles().Bytes(), part(0, 0).Bytes())), codestream.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	open := part(3, 0)
	open.Open = true
	stray, cut, right := part(6, 0).Bytes(), part(2, 0).Bytes()[:11], part(5, 0).Bytes()
	for name, test := range map[string]struct {
		bytes []byte
		at    int
	}{
		"none":             {bytes.Repeat([]byte{0xFF, 0x90}, 50), -1},
		"nothing":          {nil, -1},
		"behind others":    {join([]byte{1, 2, 3}, stray, open.Bytes(), right), 3 + len(stray) + len(open.Bytes())},
		"cut off":          {join(stray, cut), -1},
		"at the beginning": {right, 0},
	} {
		at := h.FindPart(test.bytes)
		if at != test.at || at >= 0 && h.PartLength(test.bytes[at:]) != int64(len(right)) {
			t.Errorf("%s: found at %d, want %d", name, at, test.at)
		}
	}
}
