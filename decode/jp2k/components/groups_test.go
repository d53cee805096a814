package components

import (
	"testing"

	"tileserver/cache"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/wavelet"
)

// banded returns a component with one resolution of one band.
func banded(rect wavelet.Rect, style codestream.Style, precinctLog2, widthLog2, heightLog2 int) *codestream.TileComponent {
	return &codestream.TileComponent{Style: style, Resolutions: []codestream.Resolution{{
		Rect: rect, PrecinctWidthLog2: precinctLog2, PrecinctHeightLog2: precinctLog2,
		Bands: []codestream.Band{{Rect: rect, BlockWidthLog2: widthLog2, BlockHeightLog2: heightLog2}},
	}}}
}

// Each code-block is in one group, at a position of its own, and all of a group are in one precinct.
func TestEachCodeBlockIsInOneGroup(t *testing.T) {
	for _, test := range []struct {
		coding *codestream.TileComponent
		size   int // of groups
	}{
		{banded(wavelet.Rect{X0: 5, Y0: 9, X1: 133, Y1: 77}, codestream.HT, 15, 2, 2), 256},
		{banded(wavelet.Rect{X0: 5, Y0: 9, X1: 133, Y1: 77}, codestream.HT, 5, 2, 3), 32},
		{banded(wavelet.Rect{X0: 64, Y0: 1, X1: 99, Y1: 300}, codestream.HT, 15, 5, 4), 8},
		{banded(wavelet.Rect{X0: 64, Y0: 1, X1: 999, Y1: 300}, codestream.HT, 15, 2, 8), 1},
		{banded(wavelet.Rect{X0: 64, Y0: 1, X1: 999, Y1: 300}, codestream.HT, 15, 6, 6), 1},
		{banded(wavelet.Rect{X0: 3, Y0: 3, X1: 40, Y1: 50}, 0, 15, 2, 3), 8},
		{banded(wavelet.Rect{X0: 3, Y0: 3, X1: 400, Y1: 50}, 0, 15, 5, 5), 1},
	} {
		grid := groupsOf(test.coding, 0, 0)
		if grid.size() != test.size {
			t.Errorf("%+v: groups of %d code-blocks, want %d", *grid.Band, grid.size(), test.size)
		}
		tile := &codestream.Tile{Components: []codestream.TileComponent{*test.coding}}
		columns := uint32(grid.BlockColumns())
		for index := range columns * uint32(grid.BlockRows()) {
			column, row := int(index%columns), int(index/columns)
			group, position := groupKey{index: grid.index(column, row)}, grid.position(column, row)
			one := wavelet.Rect{X0: column, Y0: row, X1: column + 1, Y1: row + 1}
			in := grid.blocks(group.index)
			if in.Intersect(one) != one {
				t.Fatalf("%+v: code-block %d,%d is not in group %d, which has %v", *grid.Band, column, row, group.index, in)
			}
			if got := grid.block(group, position); got.index != index || position < 0 || int(position) >= grid.size() {
				t.Fatalf("%+v: code-block %d is at %d of group %d, where %d is", *grid.Band, index, position, group.index, got.index)
			}
			if got := packets.PrecinctsOf(tile, 0, 0, 0, in); got.Width() != 1 || got.Height() != 1 {
				t.Fatalf("%+v: group %d is in the precincts %v", *grid.Band, group.index, got)
			}
		}
	}
}

// Small code-blocks are decoded and cached in groups, and each window has those that it needs.
func TestSmallCodeBlocksAreCachedInGroups(t *testing.T) {
	image := jp2ktest.Wide()
	image.Image = wavelet.Rect{X0: 3, Y0: 5, X1: 120, Y1: 90}
	image.Coding.BlockWidthLog2, image.Coding.BlockHeightLog2 = 2, 2
	whole := open(t, image.Codestream(), nil).read(t, 0, image.Image)
	shared := cache.New(8 << 20)
	o := open(t, image.Codestream(), func(c *Config) { c.Shared = NewShared(shared, 1<<20) })
	for _, rect := range []wavelet.Rect{{X0: 20, Y0: 30, X1: 21, Y1: 31}, {X0: 3, Y0: 5, X1: 60, Y1: 47}, {X0: 57, Y0: 5, X1: 120, Y1: 90}, image.Image} {
		part := o.read(t, 0, rect)
		for y := rect.Y0; y < rect.Y1; y++ {
			for x := rect.X0; x < rect.X1; x++ {
				got, _ := part.At(0, x-rect.X0, y-rect.Y0)
				if want, _ := whole.At(0, x-image.Image.X0, y-image.Image.Y0); got != want {
					t.Fatalf("window %v: sample %d,%d is %v, want %v", rect, x, y, got, want)
				}
			}
		}
	}
	entries := 0
	for _, space := range shared.Stats().Spaces {
		if space.Name == "code-blocks" {
			entries = space.Entries
		}
	}
	if decoded := int(o.shared.Stats().Decoded); entries == 0 || decoded < 8*entries {
		t.Errorf("%d code-blocks are %d values in the cache", decoded, entries)
	}
}
