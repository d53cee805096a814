package layer_test

import (
	"testing"

	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/layer/tilesets"
)

// All tiles with pixels of the layer are within the limits. The outer columns and rows may have
// blank tiles if the image is bent.
func TestLimitsContainAllPixels(t *testing.T) {
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
			c := newPlacedCatalog(t, source, test.code, test.place, unevenSet(t))
			for _, s := range describe(t, c).TileSets {
				count := 0
				for z := s.MinZoom; z <= s.MinZoom+1 && z <= s.MaxZoom; z++ {
					count += checkLimits(t, c, s, z)
				}
				if count == 0 {
					t.Errorf("%s has no pixels", s.Set.ID)
				}
			}
		})
	}
}

// checkLimits renders the tiles of a level within the limits and around them. It returns the number
// of tiles with pixels.
func checkLimits(t *testing.T, c *layer.Catalog, s tilesets.TileSet, z int) (count int) {
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
			p := mustPicture(t, c, layer.Request{Format: layer.PNG, Area: areas.Tile{TileSet: s.Set.ID, Tile: id}})
			within := x >= column0 && x <= column1 && y >= row0 && y <= row1
			if p.From != layer.Empty {
				count++
				if !within {
					t.Errorf("%s: %v has pixels beyond columns %d to %d and rows %d to %d", s.Set.ID, id, column0, column1, row0, row1)
				}
			}
		}
	}
	return count
}
