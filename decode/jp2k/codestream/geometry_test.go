package codestream_test

import (
	"slices"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/wavelet"
)

type rect = wavelet.Rect

// corners returns a rectangle by its corners. Those of the lower right are exclusive.
func corners(x0, y0, x1, y1 int) rect { return rect{X0: x0, Y0: y0, X1: x1, Y1: y1} }

// readTile reads one tile of a sound codestream.
func readTile(t *testing.T, data []byte, number int) (*codestream.Header, *codestream.Tile) {
	t.Helper()
	r := codestreamtest.NewReader(data)
	h, err := codestream.ReadHeader(r, codestream.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := h.FindParts(r)
	if err != nil {
		t.Fatal(err)
	}
	tile, err := h.ReadTile(r, parts, number)
	if err != nil {
		t.Fatal(err)
	}
	return h, tile
}

func gray(bits int) []codestream.Component {
	return []codestream.Component{{Bits: bits, DX: 1, DY: 1}}
}

func TestResolutionsAndBands(t *testing.T) {
	tests := []struct {
		name        string
		image       rect
		component   codestream.Component
		levels      int
		resolutions []rect
		bands       [][]rect
	}{
		{
			name: "no levels", image: rect{X1: 7, Y1: 3}, component: gray(8)[0],
			resolutions: []rect{corners(0, 0, 7, 3)},
			bands:       [][]rect{{corners(0, 0, 7, 3)}},
		},
		{
			name: "odd", image: rect{X1: 5, Y1: 3}, component: gray(8)[0], levels: 1,
			resolutions: []rect{corners(0, 0, 3, 2), corners(0, 0, 5, 3)},
			bands:       [][]rect{{corners(0, 0, 3, 2)}, {corners(0, 0, 2, 2), corners(0, 0, 3, 1), corners(0, 0, 2, 1)}},
		},
		{
			name: "offset", image: corners(3, 5, 14, 12), component: gray(8)[0], levels: 2,
			resolutions: []rect{corners(1, 2, 4, 3), corners(2, 3, 7, 6), corners(3, 5, 14, 12)},
			bands: [][]rect{
				{corners(1, 2, 4, 3)},
				{corners(1, 2, 3, 3), corners(1, 1, 4, 3), corners(1, 1, 3, 3)},
				{corners(1, 3, 7, 6), corners(2, 2, 7, 6), corners(1, 2, 7, 6)},
			},
		},
		{
			name: "subsampled and offset", image: corners(3, 5, 14, 12), component: codestream.Component{Bits: 8, DX: 2, DY: 3}, levels: 1,
			resolutions: []rect{corners(1, 1, 4, 2), corners(2, 2, 7, 4)},
			bands:       [][]rect{{corners(1, 1, 4, 2)}, {corners(1, 1, 3, 2), corners(1, 1, 4, 2), corners(1, 1, 3, 2)}},
		},
		{
			name: "one pixel in an odd place", image: corners(1, 1, 2, 2), component: gray(8)[0], levels: 1,
			resolutions: []rect{corners(1, 1, 1, 1), corners(1, 1, 2, 2)},
			bands:       [][]rect{{corners(1, 1, 1, 1)}, {corners(0, 1, 1, 1), corners(1, 0, 1, 1), corners(0, 0, 1, 1)}},
		},
		{
			name: "more levels than pixels", image: rect{X1: 2, Y1: 1}, component: gray(8)[0], levels: 3,
			resolutions: []rect{corners(0, 0, 1, 1), corners(0, 0, 1, 1), corners(0, 0, 1, 1), corners(0, 0, 2, 1)},
			bands: [][]rect{
				{corners(0, 0, 1, 1)},
				{corners(0, 0, 0, 1), corners(0, 0, 1, 0), corners(0, 0, 0, 0)},
				{corners(0, 0, 0, 1), corners(0, 0, 1, 0), corners(0, 0, 0, 0)},
				{corners(0, 0, 1, 1), corners(0, 0, 1, 0), corners(0, 0, 1, 0)},
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, tile := readTile(t, codestreamtest.Codestream(codestreamtest.Header{
				Image: test.image, Components: []codestream.Component{test.component},
				Coding: codestreamtest.Coding{Levels: test.levels},
			}, codestreamtest.TilePart{}), 0)
			for r, resolution := range tile.Components[0].Resolutions {
				if resolution.Rect != test.resolutions[r] {
					t.Errorf("resolution %d: got %v, want %v", r, resolution.Rect, test.resolutions[r])
				}
				var bands []rect
				for _, band := range resolution.Bands {
					bands = append(bands, band.Rect)
				}
				if !slices.Equal(bands, test.bands[r]) {
					t.Errorf("bands of resolution %d: got %v, want %v", r, bands, test.bands[r])
				}
			}
		})
	}
}

// The image of the example in annex B of the standard: 1280 x 720 in the middle of 1432 x 954, in
// tiles of 396 x 297.
func TestTilesOfStandardExample(t *testing.T) {
	data := codestreamtest.Codestream(codestreamtest.Header{
		Image:      corners(152, 234, 1432, 954),
		FirstTile:  corners(0, 0, 396, 297),
		Components: []codestream.Component{{Bits: 8, DX: 1, DY: 1}, {Bits: 8, DX: 2, DY: 2}},
	})
	h, _ := readTile(t, data, 0)
	if h.TileColumns() != 4 || h.TileRows() != 4 || h.Tiles() != 16 {
		t.Errorf("got %d x %d tiles, want 4 x 4", h.TileColumns(), h.TileRows())
	}
	widths := [2][4]int{{244, 396, 396, 244}, {122, 198, 198, 122}}
	heights := [2][4]int{{63, 297, 297, 63}, {32, 148, 149, 31}}
	for number := range 16 {
		_, tile := readTile(t, data, number)
		for c, component := range tile.Components {
			got := [2]int{component.Rect.Width(), component.Rect.Height()}
			if want := [2]int{widths[c][number%4], heights[c][number/4]}; got != want {
				t.Errorf("tile %d, component %d: got %v, want %v", number, c, got, want)
			}
		}
	}
	if got, want := h.TileRect(5), corners(396, 297, 792, 594); got != want {
		t.Errorf("tile 5: got %v, want %v", got, want)
	}
	if got, want := h.ComponentRect(1, 0), corners(76, 117, 716, 477); got != want {
		t.Errorf("component 1: got %v, want %v", got, want)
	}
	if got, want := h.ComponentRect(1, 3), corners(10, 15, 90, 60); got != want {
		t.Errorf("component 1, reduced by 8: got %v, want %v", got, want)
	}
}

func TestPrecinctsAndBlocks(t *testing.T) {
	precincts := []codestreamtest.Precinct{{WidthLog2: 0, HeightLog2: 1}, {WidthLog2: 2, HeightLog2: 3}, {WidthLog2: 2, HeightLog2: 2}}
	_, tile := readTile(t, codestreamtest.Codestream(codestreamtest.Header{
		Image: corners(3, 5, 14, 12), Components: gray(8),
		Coding: codestreamtest.Coding{Levels: 2, BlockWidthLog2: 2, BlockHeightLog2: 3, Precincts: precincts},
	}, codestreamtest.TilePart{}), 0)
	tests := []struct{ columns, rows, blockWidth, blockHeight, blockColumns, blockRows int }{
		{3, 1, 0, 1, 3, 1}, // LL of 1..4 x 2..3 in precincts of 1 x 2
		{2, 1, 1, 2, 2, 1}, // HL of 1..3 x 2..3 in blocks of 2 x 4
		{4, 2, 1, 1, 4, 2}, // HL of 1..7 x 3..6 in blocks of 2 x 2
	}
	for r, want := range tests {
		resolution := tile.Components[0].Resolutions[r]
		band := resolution.Bands[0]
		got := want
		got.columns, got.rows = resolution.PrecinctColumns, resolution.PrecinctRows
		got.blockWidth, got.blockHeight = band.BlockWidthLog2, band.BlockHeightLog2
		got.blockColumns, got.blockRows = band.BlockColumns(), band.BlockRows()
		if got != want {
			t.Errorf("resolution %d: got %+v, want %+v", r, got, want)
		}
	}
	finest := tile.Components[0].Resolutions[2].Bands[0] // HL
	if got, want := finest.Block(0, 0), corners(1, 3, 2, 4); got != want {
		t.Errorf("first block: got %v, want %v", got, want)
	}
	if got, want := finest.Block(3, 1), corners(6, 4, 7, 6); got != want {
		t.Errorf("last block: got %v, want %v", got, want)
	}
}

func TestEmptyResolutionsHaveNoPrecincts(t *testing.T) {
	_, tile := readTile(t, codestreamtest.Codestream(codestreamtest.Header{
		Image: corners(1, 0, 2, 4), Components: gray(8), Coding: codestreamtest.Coding{Levels: 1},
	}, codestreamtest.TilePart{}), 0)
	coarsest := tile.Components[0].Resolutions[0]
	if coarsest.PrecinctColumns != 0 || coarsest.PrecinctRows != 0 {
		t.Errorf("got %d x %d, want none", coarsest.PrecinctColumns, coarsest.PrecinctRows)
	}
	if band := coarsest.Bands[0]; band.BlockColumns() != 0 || band.BlockRows() != 1 {
		t.Errorf("got %d x %d code-blocks, want 0 x 1", band.BlockColumns(), band.BlockRows())
	}
}
