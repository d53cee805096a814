package codestream_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
)

func TestMainHeader(t *testing.T) {
	data := codestreamtest.Codestream(codestreamtest.Header{
		Profile: 0x4000, Image: corners(5, 6, 1000, 700), FirstTile: corners(1, 2, 301, 402),
		Components: []codestream.Component{{Bits: 38, Signed: true, DX: 1, DY: 1}, {Bits: 1, DX: 255, DY: 2}},
		Coding: codestreamtest.Coding{
			Order: codestream.PCRL, Layers: 65535, Levels: 1, BlockWidthLog2: 10, BlockHeightLog2: 2, SOP: true, EPH: true,
			Style: codestream.HT | codestream.VerticallyCausal, Irreversible: true,
			Precincts: []codestreamtest.Precinct{{WidthLog2: 7, HeightLog2: 7}, {WidthLog2: 8, HeightLog2: 8}},
		},
		Segments: [][]byte{
			codestreamtest.Segment(0xFF50, []byte{0x40, 0x02, 0, 0, 0, 0, 0xF8, 0x34}), // of Parts 2 and 15
			codestreamtest.Segment(0xFF64, []byte("\x00\x01made by hand")),
			codestreamtest.Segment(0xFF64, []byte("\x00\x01caf\xE9")),
			codestreamtest.Segment(0xFF64, []byte("\x00\x00\xFF\x00")),
			codestreamtest.Segment(0xFF66, []byte{1, 2, 3}),
			codestreamtest.Segment(0xFF66, nil),
			{0xFF, 0x30},
			codestreamtest.RGN(1, 2, 3),
		},
	}, codestreamtest.TilePart{})
	h, _ := readTile(t, data, 0)
	if h.Tiles() != 8 || h.TileColumns() != 4 {
		t.Errorf("got %d tiles in %d columns, want 8 in 4", h.Tiles(), h.TileColumns())
	}
	want := codestream.Coding{
		Order: codestream.PCRL, Layers: 65535, Levels: 1, BlockWidth: 1024, BlockHeight: 4, Precincts: true,
		Style: codestream.HT | codestream.VerticallyCausal, SOP: true, EPH: true,
	}
	if h.Coding != want {
		t.Errorf("got %+v, want %+v", h.Coding, want)
	}
	if want := []string{"made by hand", "café"}; !slices.Equal(h.Comments, want) {
		t.Errorf("comments: got %q, want %q", h.Comments, want)
	}
	if !h.HighThroughput || h.PartTable || h.PacketTable || h.PackedHeaders {
		t.Errorf("got %+v", h)
	}
}

func TestClaimsOfHighThroughput(t *testing.T) {
	tests := []struct {
		name string
		body []byte
		want bool
	}{
		{"HT alone", []byte{0, 2, 0, 0, 0, 0}, true},
		{"of Part 2 too", []byte{0x40, 2, 0, 0, 0, 0, 0xC0, 30}, true},
		{"another part", []byte{0x40, 0, 0, 0, 1, 2}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h, _ := readTile(t, codestreamtest.Codestream(sixTiles(codestreamtest.Segment(0xFF50, test.body))), 0)
			if h.HighThroughput != test.want {
				t.Errorf("got %v, want %v", h.HighThroughput, test.want)
			}
		})
	}
	short := codestreamtest.Codestream(sixTiles(codestreamtest.Segment(0xFF50, []byte{0, 2, 0, 0, 0})))
	if _, err := codestream.ReadHeader(codestreamtest.NewReader(short), codestream.Limits{}); !errors.Is(err, codestream.ErrCorrupt) {
		t.Errorf("a word of one byte: got %v, want %v", err, codestream.ErrCorrupt)
	}
}

// changed returns a sound codestream with one change.
func changed(change func(data []byte)) []byte {
	data := codestreamtest.Codestream(codestreamtest.Header{
		Image: rect{X1: 64, Y1: 48}, Components: slices.Repeat(gray(8), 3), Coding: codestreamtest.Coding{Levels: 2},
	}, part(0, 0))
	change(data)
	return data
}

// The offsets of fields in the result of changed.
const (
	sizAt = 4
	codAt = 2 + 2 + 38 + 9 + 2 // after the marker
	qcdAt = codAt + 2 + 10 + 2
)

// precincts returns a header with precincts of the given size in its second resolution.
func precincts(widthLog2, heightLog2 int) codestreamtest.Header {
	sizes := []codestreamtest.Precinct{{WidthLog2: 0, HeightLog2: 0}, {WidthLog2: widthLog2, HeightLog2: heightLog2}}
	return codestreamtest.Header{Image: rect{X1: 9, Y1: 7}, Components: gray(8), Coding: codestreamtest.Coding{Levels: 1, Precincts: sizes}}
}

func TestRejectedHeaders(t *testing.T) {
	set := func(at int, bytes ...byte) []byte {
		return changed(func(data []byte) { copy(data[at:], bytes) })
	}
	long := func(at int, values ...uint32) []byte {
		return changed(func(data []byte) {
			for i, value := range values {
				binary.BigEndian.PutUint32(data[at+4*i:], value)
			}
		})
	}
	tests := []struct {
		name string
		data []byte
		want error
		says string
	}{
		{"empty", nil, codestream.ErrCorrupt, "ends"},
		{"something else", []byte("GIF89a, or so"), codestream.ErrCorrupt, "begins"},
		{"truncated", changed(func([]byte) {})[:60], codestream.ErrCorrupt, "12 bytes long"},
		{"no width", long(sizAt+4, 0), codestream.ErrCorrupt, "empty"},
		{"no tile width", long(sizAt+20, 0), codestream.ErrCorrupt, "tiles of"},
		{"tile origin behind the image", long(sizAt+28, 1), codestream.ErrCorrupt, "corner"},
		{"first tile before the image", long(sizAt+4, 64, 48, 20, 0, 20, 48), codestream.ErrCorrupt, "corner"},
		{"tiles of one pixel", long(sizAt+4, 1<<32-1, 1<<32-1, 0, 0, 1, 1), codestream.ErrLimit, "tiles"},
		{"no components", set(sizAt+36, 0, 0), codestream.ErrCorrupt, "0 components"},
		{"more components than bytes", set(sizAt+36, 0, 4), codestream.ErrCorrupt, "4 components"},
		{"too many bits", set(sizAt+38, 38), codestream.ErrCorrupt, "39 bits"},
		{"no samples", set(sizAt+39, 0), codestream.ErrCorrupt, "every 0 x 1"},
		{"second SIZ", set(codAt-2, 0xFF, 0x51), codestream.ErrCorrupt, "second SIZ"},
		{"no COD", set(codAt-2, 0xFF, 0x64), codestream.ErrCorrupt, "no COD"},
		{"no QCD", set(qcdAt-2, 0xFF, 0x64), codestream.ErrCorrupt, "no QCD"},
		{"an invalid marker", set(codAt-2, 0x12, 0x34), codestream.ErrCorrupt, "0x1234"},
		{"a length of one", set(codAt, 0, 1), codestream.ErrCorrupt, "1 bytes"},
		{"a length beyond the end", set(codAt, 255, 255), codestream.ErrCorrupt, "65535 bytes"},
		{"another coding style", set(codAt+2, 8), codestream.ErrUnsupported, "coding style 0x08"},
		{"another order", set(codAt+3, 5), codestream.ErrCorrupt, "order 5"},
		{"no layers", set(codAt+4, 0, 0), codestream.ErrCorrupt, "no layers"},
		{"another component transform", set(codAt+6, 2), codestream.ErrUnsupported, "multiple component transformation 2"},
		{"33 levels", set(codAt+7, 33), codestream.ErrCorrupt, "33 levels"},
		{"levels of an arbitrary decomposition", set(codAt+7, 129), codestream.ErrUnsupported, "arbitrary decomposition"},
		{"wide blocks", set(codAt+8, 9, 0), codestream.ErrCorrupt, "2^11 x 2^2"},
		{"large blocks", set(codAt+8, 5, 5), codestream.ErrCorrupt, "2^7 x 2^7"},
		{"a reserved style of blocks", set(codAt+10, 0x80), codestream.ErrCorrupt, "style 0x80"},
		{"another wavelet", set(codAt+11, 2), codestream.ErrUnsupported, "wavelet 2"},
		{"another quantization", set(qcdAt+2, 3), codestream.ErrUnsupported, "quantization 3"},
		{"precincts that are missing", set(codAt+2, 1), codestream.ErrCorrupt, "precincts"},
		{"precincts of one row", codestreamtest.Codestream(precincts(15, 0)), codestream.ErrCorrupt, "one sample in resolution 1"},
		{"precincts of one column", codestreamtest.Codestream(precincts(0, 15)), codestream.ErrCorrupt, "one sample in resolution 1"},
		{"progressions without end", codestreamtest.Codestream(sixTiles(slices.Repeat([][]byte{codestreamtest.POC(1, make([]codestream.Progression, 1025)...)}, 4)...)), codestream.ErrLimit, "4096 progressions"},
		{"an arbitrary decomposition", set(qcdAt-2, 0xFF, 0x72), codestream.ErrUnsupported, "DFS"},
		{"a transform of components", set(qcdAt-2, 0xFF, 0x75), codestream.ErrUnsupported, "MCC"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := codestream.ReadHeader(codestreamtest.NewReader(test.data), codestream.Limits{})
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want %v with %q", err, test.want, test.says)
			}
		})
	}
	if _, err := readAll(codestreamtest.NewReader(changed(func([]byte) {})), codestream.Limits{}); err != nil {
		t.Errorf("the unchanged one: %v", err)
	}
}

func TestRejectedTiles(t *testing.T) {
	short := part(0, 0)
	short.Segments = [][]byte{{0xFF, 0x52, 0x7F, 0xFF}}
	tests := []struct {
		name string
		part codestreamtest.TilePart
		want error
	}{
		{"a marker longer than the part", short, codestream.ErrCorrupt},
		{"COC of a missing component", codestreamtest.TilePart{Segments: [][]byte{codestreamtest.COC(3, 3, withLevels(1))}}, codestream.ErrCorrupt},
		{"too few steps", codestreamtest.TilePart{Segments: [][]byte{codestreamtest.COD(withLevels(7))}}, codestream.ErrCorrupt},
		{"SIZ", codestreamtest.TilePart{Segments: [][]byte{codestreamtest.Segment(0xFF51, nil)}}, codestream.ErrCorrupt},
		{"PPT without a turn", codestreamtest.TilePart{Segments: [][]byte{codestreamtest.Segment(0xFF61, nil)}}, codestream.ErrCorrupt},
		{"an extension", codestreamtest.TilePart{Segments: [][]byte{codestreamtest.Segment(0xFF79, nil)}}, codestream.ErrUnsupported},
		{"an unknown style of region", codestreamtest.TilePart{Segments: [][]byte{codestreamtest.Segment(0xFF5E, []byte{0, 1, 0})}}, codestream.ErrUnsupported},
		{
			"a transform of components that differ",
			codestreamtest.TilePart{Segments: [][]byte{
				codestreamtest.COC(1, 3, codestreamtest.Coding{Irreversible: true}),
				codestreamtest.COD(codestreamtest.Coding{MultipleComponentTransform: true}),
			}},
			codestream.ErrCorrupt,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data := codestreamtest.Codestream(codestreamtest.Header{
				Image: rect{X1: 64, Y1: 48}, Components: slices.Repeat(gray(8), 3), Coding: codestreamtest.Coding{Levels: 2},
			}, test.part)
			_, err := readAll(codestreamtest.NewReader(data), codestream.Limits{})
			if !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

func TestComponentTransformOfDifferentSizesIsRejected(t *testing.T) {
	components := slices.Repeat(gray(8), 3)
	components[2].DX = 2
	data := codestreamtest.Codestream(codestreamtest.Header{
		Image: rect{X1: 64, Y1: 48}, Components: components, Coding: codestreamtest.Coding{MultipleComponentTransform: true},
	}, part(0, 0))
	if _, err := readAll(codestreamtest.NewReader(data), codestream.Limits{}); !errors.Is(err, codestream.ErrCorrupt) {
		t.Errorf("got %v, want %v", err, codestream.ErrCorrupt)
	}
}

// A tile with a damaged first header cannot be read, even if the rest is sound.
func TestTileWithADamagedFirstHeader(t *testing.T) {
	damaged := part(0, 0)
	damaged.Segments = [][]byte{{0xFF, 0x52, 0x7F, 0xFF}}
	r := codestreamtest.NewReader(codestreamtest.Codestream(sixTiles(), damaged, part(0, 1)))
	h, err := codestream.ReadHeader(r, codestream.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := h.FindParts(r)
	if err != nil {
		t.Fatal(err)
	}
	if tile, err := h.ReadTile(r, parts, 0); !errors.Is(err, codestream.ErrCorrupt) {
		t.Errorf("got %+v and %v, want %v", tile, err, codestream.ErrCorrupt)
	}
}

func TestLimitOfTileHeaders(t *testing.T) {
	wordy := part(0, 0)
	wordy.Segments = slices.Repeat([][]byte{codestreamtest.Segment(0xFF64, make([]byte, 200))}, 10)
	r := codestreamtest.NewReader(codestreamtest.Codestream(sixTiles(), wordy))
	if _, err := readAll(r, codestream.Limits{HeaderBytes: 10 * 204}); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	if _, err := readAll(r, codestream.Limits{HeaderBytes: 10*204 - 1}); !errors.Is(err, codestream.ErrLimit) {
		t.Errorf("got %v, want %v", err, codestream.ErrLimit)
	}
}

// Damage costs the damaged part and those after it, but not those before.
func TestSoundPartsBeforeADamagedOne(t *testing.T) {
	for _, segment := range [][]byte{{0xFF, 0x52, 0x7F, 0xFF}, codestreamtest.RGN(3, 3, 1)} {
		damaged := part(0, 1)
		damaged.Segments = [][]byte{segment}
		data := codestreamtest.Codestream(sixTiles(), part(0, 0), damaged, part(0, 2))
		_, tile := readTile(t, data, 0)
		if len(tile.Parts) != 1 || !errors.Is(tile.Damage, codestream.ErrCorrupt) {
			t.Errorf("got %d parts and damage %v, want 1 and %v", len(tile.Parts), tile.Damage, codestream.ErrCorrupt)
		}
	}
}

func TestComponentTransformOfTwoComponentsIsIgnored(t *testing.T) {
	_, tile := readTile(t, codestreamtest.Codestream(codestreamtest.Header{
		Image: rect{X1: 64, Y1: 48}, Components: slices.Repeat(gray(8), 2), Coding: codestreamtest.Coding{MultipleComponentTransform: true},
	}, part(0, 0)), 0)
	if tile.MultipleComponentTransform {
		t.Error("two components were transformed")
	}
}

func TestLimits(t *testing.T) {
	packed := part(0, 0)
	packed.Segments = [][]byte{codestreamtest.PPT(0, make([]byte, 20))}
	header := codestreamtest.Header{
		Image: rect{X1: 30, Y1: 15}, FirstTile: rect{X1: 11, Y1: 9}, Components: slices.Repeat(gray(8), 3),
		Coding: codestreamtest.Coding{Levels: 4},
	}
	data := codestreamtest.Codestream(header, packed, part(1, 0), part(2, 0))
	headerBytes := int64(len(header.Bytes()))
	tests := []struct {
		name           string
		enough, lesser codestream.Limits
	}{
		{"components", codestream.Limits{Components: 3}, codestream.Limits{Components: 2}},
		{"tiles", codestream.Limits{Tiles: 6}, codestream.Limits{Tiles: 5}},
		{"tile-parts", codestream.Limits{TileParts: 3}, codestream.Limits{TileParts: 2}},
		{"bytes of headers", codestream.Limits{HeaderBytes: headerBytes}, codestream.Limits{HeaderBytes: headerBytes - 1}},
		{"bands", codestream.Limits{Bands: 39}, codestream.Limits{Bands: 38}},
		{"packed headers", codestream.Limits{PackedHeaderBytes: 20}, codestream.Limits{PackedHeaderBytes: 19}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := readAll(codestreamtest.NewReader(data), test.enough); err != nil {
				t.Errorf("at the limit: %v", err)
			}
			if _, err := readAll(codestreamtest.NewReader(data), test.lesser); !errors.Is(err, codestream.ErrLimit) {
				t.Errorf("got %v, want %v", err, codestream.ErrLimit)
			}
		})
	}
}
