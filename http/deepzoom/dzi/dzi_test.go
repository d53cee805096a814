package dzi

import (
	"encoding/xml"
	"math"
	"testing"
)

func TestLevels(t *testing.T) {
	tests := []struct {
		name          string
		width, height int
		maxLevel      int
		sizes         map[int][2]int
	}{
		{"one pixel", 1, 1, 0, map[int][2]int{0: {1, 1}}},
		{"two pixels", 2, 1, 1, map[int][2]int{0: {1, 1}, 1: {2, 1}}},
		{"a power of two", 1024, 512, 10, map[int][2]int{10: {1024, 512}, 9: {512, 256}, 1: {2, 1}, 0: {1, 1}}},
		{"one more than a power of two", 1025, 3, 11, map[int][2]int{11: {1025, 3}, 10: {513, 2}, 9: {257, 1}, 0: {1, 1}}},
		{"odd", 601, 499, 10, map[int][2]int{10: {601, 499}, 9: {301, 250}, 8: {151, 125}, 7: {76, 63}, 1: {2, 1}, 0: {1, 1}}},
		{"tall", 7, 40000, 16, map[int][2]int{16: {7, 40000}, 13: {1, 5000}, 0: {1, 1}}},
		{"as large as can be", math.MaxInt32, 1, 31, map[int][2]int{31: {math.MaxInt32, 1}, 0: {1, 1}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			image := Image{Width: test.width, Height: test.height, TileSide: 256}
			if got := image.MaxLevel(); got != test.maxLevel {
				t.Errorf("the finest level is %d, want %d", got, test.maxLevel)
			}
			for level, want := range test.sizes {
				if width, height := image.Size(level); width != want[0] || height != want[1] {
					t.Errorf("level %d has %dx%d pixels, want %v", level, width, height, want)
				}
			}
		})
	}
}

func TestTiles(t *testing.T) {
	image := Image{Width: 601, Height: 499, TileSide: 256}
	tests := []struct {
		level, column, row int
		want               Tile
		ok                 bool
	}{
		{10, 0, 0, Tile{0, 0, 0, 256, 256}, true},
		{10, 2, 1, Tile{0, 512, 256, 89, 243}, true},
		{10, 3, 0, Tile{}, false},
		{10, 0, 2, Tile{}, false},
		{9, 1, 0, Tile{1, 256, 0, 45, 250}, true},
		{7, 0, 0, Tile{3, 0, 0, 76, 63}, true},
		{0, 0, 0, Tile{10, 0, 0, 1, 1}, true},
		{0, 1, 0, Tile{}, false},
		{11, 0, 0, Tile{}, false},
		{-1, 0, 0, Tile{}, false},
		{10, -1, 0, Tile{}, false},
		{10, math.MaxInt, math.MaxInt, Tile{}, false},
	}
	for _, test := range tests {
		if got, ok := image.Tile(test.level, test.column, test.row); got != test.want || ok != test.ok {
			t.Errorf("%d/%d_%d is %v, %v, want %v, %v", test.level, test.column, test.row, got, ok, test.want, test.ok)
		}
	}
	if _, ok := (Image{Width: 512, Height: 512, TileSide: 256}).Tile(9, 2, 0); ok {
		t.Error("there is a tile beyond the last pixel")
	}
}

// The tiles of a level cover it without overlap, whatever its size.
func TestTilesCoverTheirLevel(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {255, 257}, {513, 1}, {601, 499}, {1024, 1023}} {
		image := Image{Width: size[0], Height: size[1], TileSide: 64}
		for level := 0; level <= image.MaxLevel(); level++ {
			width, height := image.Size(level)
			covered := 0
			for row := 0; ; row++ {
				if _, ok := image.Tile(level, 0, row); !ok {
					break
				}
				for column := 0; ; column++ {
					tile, ok := image.Tile(level, column, row)
					if !ok {
						break
					}
					covered += tile.Width * tile.Height
				}
			}
			if covered != width*height {
				t.Errorf("level %d of %v: tiles have %d pixels, the level %d", level, size, covered, width*height)
			}
		}
	}
}

func TestDocument(t *testing.T) {
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<Image xmlns="http://schemas.microsoft.com/deepzoom/2008" TileSize="512" Overlap="0" Format="png">
  <Size Width="601" Height="499"></Size>
</Image>
`
	got := Image{Width: 601, Height: 499, TileSide: 512}.Document("png")
	if string(got) != want {
		t.Errorf("got %s", got)
	}
	var back document
	if err := xml.Unmarshal(got, &back); err != nil || back.Size != (size{601, 499}) || back.TileSize != 512 {
		t.Errorf("read again it is %+v, %v", back, err)
	}
}

func TestParseTile(t *testing.T) {
	tests := []struct {
		name        string
		column, row int
		extension   string
		ok          bool
	}{
		{"0_0.jpg", 0, 0, "jpg", true},
		{"12_345.png", 12, 345, "png", true},
		{"1_2.tar.gz", 1, 2, "tar.gz", true},
		{"1_2", 1, 2, "", false},
		{"1_2_3.jpg", 0, 0, "", false},
		{"01_2.jpg", 0, 0, "", false},
		{"-1_2.jpg", 0, 0, "", false},
		{"+1_2.jpg", 0, 0, "", false},
		{"1-2.jpg", 0, 0, "", false},
		{"99999999999999999999_0.jpg", 0, 0, "", false},
		{"_.jpg", 0, 0, "", false},
		{"", 0, 0, "", false},
	}
	for _, test := range tests {
		column, row, extension, ok := ParseTile(test.name)
		if ok != test.ok || ok && (column != test.column || row != test.row || extension != test.extension) {
			t.Errorf("%q is %d, %d, %q, %v", test.name, column, row, extension, ok)
		}
	}
}

func FuzzParseTile(f *testing.F) {
	for _, name := range []string{"0_0.jpg", "12_345.png", "-1_2.jpg", "01_1.x", "9223372036854775808_0.jpg", "_", "0_0."} {
		f.Add(name, 601, 499, 9)
	}
	f.Fuzz(func(t *testing.T, name string, width, height, level int) {
		column, row, _, ok := ParseTile(name)
		if !ok {
			return
		}
		image := Image{Width: 1 + width&math.MaxInt32, Height: 1 + height&math.MaxInt32, TileSide: 256}
		tile, ok := image.Tile(level, column, row)
		if !ok {
			return
		}
		w, h := image.Size(level)
		if tile.X < 0 || tile.Y < 0 || tile.Width < 1 || tile.Height < 1 || tile.X+tile.Width > w || tile.Y+tile.Height > h {
			t.Errorf("%q of %dx%d is %v", name, w, h, tile)
		}
	})
}
