package export

import (
	"image"
	"slices"
	"testing"

	"tileserver/archive"
)

// quads returns a grid of levels that halve each other, as on web maps.
func quads(first, last int, wanted func(zoom int) image.Rectangle) (g Grid) {
	for z := first; z <= last; z++ {
		g = append(g, Level{Zoom: z, Size: image.Pt(1<<z, 1<<z), Wanted: wanted(z), Halves: z > 0})
	}
	return g
}

// around returns the tiles that a rectangle of the unit square touches.
func around(x0, y0, x1, y1 float64) func(zoom int) image.Rectangle {
	return func(zoom int) image.Rectangle {
		n := float64(int(1) << zoom)
		return image.Rect(int(x0*n), int(y0*n), int(x1*n)+1, int(y1*n)+1)
	}
}

// A grid without levels that halve each other, one that is wider than high, and one of a picture.
func oddGrids() map[string]Grid {
	scales := Grid{
		{Zoom: 0, Size: image.Pt(5, 3), Wanted: image.Rect(0, 0, 5, 3)},
		{Zoom: 1, Size: image.Pt(12, 9), Wanted: image.Rect(2, 1, 11, 9)},
		{Zoom: 2, Size: image.Pt(200, 90), Wanted: image.Rect(50, 3, 199, 88)},
	}
	var wide, picture Grid
	for z := range 9 {
		wide = append(wide, Level{Zoom: z, Size: image.Pt(2<<z, 1<<z), Wanted: around(0.3, 0.1, 0.9, 0.4)(z), Halves: z > 0})
		size := image.Pt((1000>>(8-z)+1)*1/2+1, (300>>(8-z))/2+1)
		picture = append(picture, Level{Zoom: z, Size: size, Wanted: image.Rectangle{Max: size}, Halves: z > 0})
	}
	return map[string]Grid{
		"scales": scales, "wide": wide, "picture": picture,
		"one tile": quads(0, 0, around(0, 0, 0, 0)), "from zoom 0": quads(0, 9, around(0.2, 0.1, 0.5, 0.7)),
		"from zoom 5": quads(5, 13, around(0.51, 0.33, 0.53, 0.34)), "a deep point": quads(3, 24, around(0.7, 0.7, 0.7, 0.7)),
		"nothing on some levels": quads(2, 9, func(z int) image.Rectangle {
			if z == 5 || z == 9 {
				return image.Rectangle{}
			}
			return around(0.4, 0.4, 0.45, 0.45)(z)
		}),
	}
}

// wantedTiles returns all tiles of a grid.
func wantedTiles(g Grid) (tiles []archive.Position) {
	for _, l := range g {
		for y := l.Wanted.Min.Y; y < l.Wanted.Max.Y; y++ {
			for x := l.Wanted.Min.X; x < l.Wanted.Max.X; x++ {
				tiles = append(tiles, archive.Position{Zoom: uint8(l.Zoom), X: uint32(x), Y: uint32(y)})
			}
		}
	}
	return tiles
}

func comparePositions(a, b archive.Position) int {
	return slices.Compare([]uint32{uint32(a.Zoom), a.X, a.Y}, []uint32{uint32(b.Zoom), b.X, b.Y})
}

func TestShardsHaveEachTileOnce(t *testing.T) {
	for name, g := range oddGrids() {
		var got []archive.Position
		names := make(map[string]bool)
		for _, s := range g.levelGroups() {
			for shard := range s.shards {
				before := len(got)
				for batch := range shard.batches {
					got = append(got, batch...)
				}
				if tiles := len(got) - before; int64(tiles) != shard.tiles() || tiles == 0 || tiles > 5461 {
					t.Errorf("%s: shard %s has %d tiles, and says %d", name, shard.name(), tiles, shard.tiles())
				}
				if names[shard.name()] {
					t.Errorf("%s: two shards are called %s", name, shard.name())
				}
				names[shard.name()] = true
			}
		}
		want := wantedTiles(g)
		slices.SortFunc(got, comparePositions)
		slices.SortFunc(want, comparePositions)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d tiles, want %d, or others", name, len(got), len(want))
		}
		if g.Tiles() != int64(len(want)) {
			t.Errorf("%s: it counts %d tiles, want %d", name, g.Tiles(), len(want))
		}
	}
}

// The tiles of a zoom, shard by shard, are in the order of PMTiles.
func TestShardsFollowEachOtherAlongTheCurve(t *testing.T) {
	for _, g := range []Grid{quads(0, 9, around(0.2, 0.1, 0.5, 0.7)), quads(5, 13, around(0.49, 0.33, 0.51, 0.34))} {
		for _, s := range g.levelGroups() {
			for _, l := range s.levels {
				last := int64(-1)
				for shard := range s.shards {
					var tiles []archive.Position
					for batch := range shard.batches {
						tiles = append(tiles, batch...)
					}
					tiles = slices.DeleteFunc(tiles, func(p archive.Position) bool { return int(p.Zoom) != l.Zoom })
					slices.SortFunc(tiles, s.compare)
					for _, p := range tiles {
						number := int64(p.Number())
						if number <= last {
							t.Fatalf("tile %v comes after a later one", p)
						}
						last = number
					}
				}
			}
		}
	}
}

// A tile comes after its four parts, and at once: what is made of them is still in memory.
func TestATileComesAfterItsParts(t *testing.T) {
	g := quads(0, 6, around(0, 0, 0.999, 0.999))
	place := make(map[archive.Position]int)
	for shard := range g.levelGroups()[0].shards {
		for batch := range shard.batches {
			for _, p := range batch {
				place[p] = len(place)
			}
		}
	}
	for p, at := range place {
		for i := range uint32(4) {
			part := archive.Position{Zoom: p.Zoom + 1, X: 2*p.X + i%2, Y: 2*p.Y + i/2}
			if before, exists := place[part]; exists && before > at {
				t.Errorf("tile %v comes before its part %v", p, part)
			}
		}
	}
	if len(place) != 5461 {
		t.Errorf("a full shard has %d tiles, want 5461", len(place))
	}
}

// Batches are squares of 4 by 4 tiles and what they are parts of, so that workers read few blocks twice.
func TestARunIsASquare(t *testing.T) {
	g := quads(6, 12, around(0.5, 0.5, 0.51, 0.51))
	for shard := range g.levelGroups()[0].shards {
		for batch := range shard.batches {
			columns, rows := make(map[uint32]bool), make(map[uint32]bool)
			for _, p := range batch {
				if p.Zoom == 12 {
					columns[p.X/4], rows[p.Y/4] = true, true
				}
			}
			if len(columns) > 1 || len(rows) > 1 || len(batch) > 21 {
				t.Errorf("the batch %v is not within a square", batch)
			}
		}
	}
}

func TestAGridMayBeTooLarge(t *testing.T) {
	if err := (Grid{{Size: image.Pt(1<<31+1, 1)}}).check(); err == nil {
		t.Error("a grid is accepted whose positions do not fit into 64 bits")
	}
	for name, g := range oddGrids() {
		if err := g.check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
