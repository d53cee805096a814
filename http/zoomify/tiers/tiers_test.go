package tiers

import (
	"encoding/xml"
	"math"
	"testing"
)

func TestTiers(t *testing.T) {
	tests := []struct {
		name      string
		image     Image
		sizes     [][2]int
		tileCount int
	}{
		{"one pixel", Image{1, 1, false}, [][2]int{{1, 1}}, 1},
		{"one tile", Image{256, 256, false}, [][2]int{{256, 256}}, 1},
		{"a column more", Image{257, 256, false}, [][2]int{{129, 128}, {257, 256}}, 1 + 2},
		{"odd", Image{601, 499, false}, [][2]int{{151, 125}, {301, 250}, {601, 499}}, 1 + 2 + 6},
		{"odd, truncated", Image{601, 499, true}, [][2]int{{151, 125}, {301, 250}, {601, 499}}, 1 + 2 + 6},
		{"where truncation saves a tier", Image{513, 100, true}, [][2]int{{257, 50}, {513, 100}}, 1 + 3},
		{"and where it does not", Image{513, 100, false}, [][2]int{{129, 25}, {257, 50}, {513, 100}}, 1 + 2 + 3},
		{"a thread", Image{5000, 1, true}, [][2]int{{157, 1}, {313, 1}, {625, 1}, {1250, 1}, {2500, 1}, {5000, 1}}, 1 + 2 + 3 + 5 + 10 + 20},
		{"a photograph", Image{2203, 3290, false}, [][2]int{{138, 206}, {276, 412}, {551, 823}, {1102, 1645}, {2203, 3290}}, 1 + 4 + 12 + 35 + 117},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.image.Tiers(); got != len(test.sizes) {
				t.Fatalf("there are %d tiers, want %d", got, len(test.sizes))
			}
			for tier, want := range test.sizes {
				if width, height := test.image.Size(tier); width != want[0] || height != want[1] {
					t.Errorf("tier %d has %dx%d pixels, want %v", tier, width, height, want)
				}
			}
			if got := test.image.Tiles(); got != test.tileCount {
				t.Errorf("there are %d tiles, want %d", got, test.tileCount)
			}
		})
	}
}

func TestTilesAndTheirGroups(t *testing.T) {
	large := Image{Width: 10000, Height: 5000} // 1+2+6+15+60+200... tiles
	tests := []struct {
		image             Image
		tier, column, row int
		want              Tile
		group             int
		ok                bool
	}{
		{Image{601, 499, false}, 2, 2, 1, Tile{0, 512, 256, 89, 243}, 0, true},
		{Image{601, 499, false}, 1, 1, 0, Tile{1, 256, 0, 45, 250}, 0, true},
		{Image{601, 499, false}, 0, 0, 0, Tile{2, 0, 0, 151, 125}, 0, true},
		{Image{601, 499, false}, 3, 0, 0, Tile{}, 0, false},
		{Image{601, 499, false}, 2, 3, 0, Tile{}, 0, false},
		{Image{601, 499, false}, -1, 0, 0, Tile{}, 0, false},
		{Image{601, 499, false}, 2, 0, math.MaxInt, Tile{}, 0, false},
		{Image{513, 100, true}, 0, 1, 0, Tile{1, 256, 0, 1, 50}, 0, true},
		{Image{513, 100, true}, 0, 2, 0, Tile{}, 0, false},
		{Image{1025, 100000, true}, 8, 1, 150, Tile{1, 256, 38400, 256, 256}, 1, true}, // after 199 + 150*2 + 1 tiles
		{large, 6, 0, 0, Tile{0, 0, 0, 256, 256}, 1, true},
		{large, 6, 39, 19, Tile{0, 9984, 4864, 16, 136}, 4, true},
	}
	for _, test := range tests {
		got, group, ok := test.image.Tile(test.tier, test.column, test.row)
		if got != test.want || group != test.group || ok != test.ok {
			t.Errorf("%d-%d-%d of %v is %v in group %d, %v; want %v in %d, %v",
				test.tier, test.column, test.row, test.image, got, group, ok, test.want, test.group, test.ok)
		}
	}
}

// Each group is filled before the next one.
func TestGroupsAreFilledInOrder(t *testing.T) {
	for _, image := range []Image{{10000, 5000, false}, {10241, 4097, false}, {10241, 4097, true}} {
		index := 0
		for tier := range image.Tiers() {
			columns, rows := image.grid(tier)
			for row := range rows {
				for column := range columns {
					if _, group, ok := image.Tile(tier, column, row); !ok || group != index/256 {
						t.Fatalf("%v: tile %d is in group %d, %v", image, index, group, ok)
					}
					index++
				}
			}
		}
		if index != image.Tiles() {
			t.Errorf("%v: %d tiles of %d", image, index, image.Tiles())
		}
	}
}

func TestDocument(t *testing.T) {
	got := Image{Width: 601, Height: 499}.Document()
	const want = `<IMAGE_PROPERTIES WIDTH="601" HEIGHT="499" NUMTILES="9" NUMIMAGES="1" VERSION="1.8" TILESIZE="256" />` + "\n"
	if string(got) != want {
		t.Errorf("got %s", got)
	}
	if err := xml.Unmarshal(got, new(struct{})); err != nil {
		t.Error(err)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]int{"TileGroup0": 0, "TileGroup12": 12} {
		if got, ok := ParseGroup(name); !ok || got != want {
			t.Errorf("%q is %d, %v", name, got, ok)
		}
	}
	for _, name := range []string{"", "TileGroup", "TileGroup-1", "TileGroup01", "tilegroup0", "TileGroup99999999999999999999", "0"} {
		if got, ok := ParseGroup(name); ok {
			t.Errorf("%q is %d", name, got)
		}
	}
	if tier, column, row, extension, ok := ParseTile("3-12-0.jpg"); !ok || tier != 3 || column != 12 || row != 0 || extension != "jpg" {
		t.Errorf("got %d-%d-%d.%s, %v", tier, column, row, extension, ok)
	}
	for _, name := range []string{"", "1-2-3", "1-2.jpg", "1-2-3-4.jpg", "1--2.jpg", "-1-2-3.jpg", "01-2-3.jpg", "a-b-c.jpg", "1-2-99999999999999999999.jpg"} {
		if tier, column, row, _, ok := ParseTile(name); ok {
			t.Errorf("%q is %d-%d-%d", name, tier, column, row)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"0-0-0.jpg", "2-2-1.jpg", "-1-0-0.jpg", "0-0-9223372036854775808.jpg", "--.", "00-0-0.jpg"} {
		f.Add(name, 601, 499, true)
	}
	f.Fuzz(func(t *testing.T, name string, width, height int, truncated bool) {
		ParseGroup(name)
		tier, column, row, _, ok := ParseTile(name)
		if !ok {
			return
		}
		image := Image{Width: 1 + width&math.MaxInt32, Height: 1 + height&math.MaxInt32, Truncated: truncated}
		tile, group, ok := image.Tile(tier, column, row)
		if !ok {
			return
		}
		w, h := image.Size(tier)
		if tile.X < 0 || tile.Y < 0 || tile.Width < 1 || tile.Height < 1 || tile.X+tile.Width > w || tile.Y+tile.Height > h {
			t.Errorf("%q of %dx%d is %v", name, w, h, tile)
		}
		if group < 0 || !truncated && group > image.Tiles()/256 {
			t.Errorf("%q is in group %d of %d tiles", name, group, image.Tiles())
		}
	})
}
