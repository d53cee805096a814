package layer_test

import (
	"math"
	"testing"

	"tileserver/geo"
	"tileserver/layer"
)

func TestLimitsOfOwnGrids(t *testing.T) {
	c := placed(t, blankImage(1025, 300), 4326, northUp(10.1, 50.3, 0.001))
	for _, id := range []string{"image", "native-l"} {
		s := tileSet(t, c, id)
		for z, want := range [][2]int{{0, 0}, {1, 0}, {2, 0}, {4, 1}} {
			column0, row0, column1, row1, ok := s.Limits(z)
			if !ok || column0 != 0 || row0 != 0 || column1 != want[0] || row1 != want[1] {
				t.Errorf("%s, level %d: got %d to %d, %d to %d, %v", id, z, column0, column1, row0, row1, ok)
			}
		}
		for _, z := range []int{-1, 4} {
			if _, _, _, _, ok := s.Limits(z); ok {
				t.Errorf("%s has a level %d", id, z)
			}
		}
	}
}

// Limits hold every tile that shows something of the layer. In the first and last column and row there may be a blank tile
// where the image is bent.
func TestLimitsHoldWhatIsSeen(t *testing.T) {
	for _, test := range []struct {
		name  string
		code  int
		place geo.Affine
	}{
		{"in Europe", 32633, northUp(500000, 5300000, 100)},
		{"longitudes up to 360", 4326, northUp(179.2, 20, 0.01)},
		{"across the antimeridian", 32660, northUp(800000, 200000, 100)},
		{"around the pole", 3413, northUp(-30000, 20000, 100)},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := blankImage(301, 203)
			source.Sample = func(_, _, x, y int) (float64, bool) { return 200, true }
			c := placed(t, source, test.code, test.place, unevenSet(t))
			for _, s := range described(t, c).TileSets {
				seen := 0
				for z := s.MinZoom; z <= s.MinZoom+1 && z <= s.MaxZoom; z++ {
					seen += checkLimits(t, c, s, z)
				}
				if seen == 0 {
					t.Errorf("%s shows nothing", s.Set.ID)
				}
			}
		})
	}
}

// checkLimits looks at the tiles of a level within the limits and around them, and counts those with something on them.
func checkLimits(t *testing.T, c *layer.Catalog, s layer.TileSet, z int) (seen int) {
	t.Helper()
	column0, row0, column1, row1, ok := s.Limits(z)
	if !ok {
		return 0
	}
	m := s.Set.Matrices[z]
	columns := []int{0, m.Columns - 1, column0 - 1, column0, (column0 + column1) / 2, column1, column1 + 1}
	rows := []int{row0 - 1, row0, (row0 + row1) / 2, row1, row1 + 1}
	for _, x := range columns {
		for _, y := range rows {
			id := geo.TileID{Z: z, X: x, Y: y}
			if !s.Set.Contains(id) {
				continue
			}
			p := mustPicture(t, c, layer.Request{Layer: "l", Format: layer.PNG, Area: layer.TileArea{TileSet: s.Set.ID, Tile: id}})
			within := x >= column0 && x <= column1 && y >= row0 && y <= row1
			if p.From != layer.Empty {
				seen++
				if !within {
					t.Errorf("%s: %v shows something, beyond columns %d to %d and rows %d to %d", s.Set.ID, id, column0, column1, row0, row1)
				}
			}
		}
	}
	return seen
}

// Longitudes count on where the file does; maps end at 180 degrees.
func TestBoundsInMapsOfTheWorld(t *testing.T) {
	for _, test := range []struct {
		name     string
		west     float64
		columns  int
		min, max float64
	}{
		{"on the map", 170, 50, 170, 175},
		{"a turn away", 190, 50, -170, -165},
		{"up to the edge", 175, 50, 175, 180},
		{"across the edge", 178, 50, -180, 180},
		{"all around from Greenwich", 0, 3600, -180, 180},
	} {
		c := placed(t, blankImage(test.columns, 30), 4326, northUp(test.west, 50, 0.1))
		got := tileSet(t, c, "WorldCRS84Quad").Bounds
		if math.Abs(got.MinX-test.min) > 1e-9 || math.Abs(got.MaxX-test.max) > 1e-9 || math.Abs(got.MinY-47) > 1e-9 {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
}
