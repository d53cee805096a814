package geo

import (
	"math"
	"testing"
)

// The numbers are from the OGC register of tile matrix sets.
func TestTileMatrixSetsOfOGC(t *testing.T) {
	tests := []struct {
		name                    string
		set                     *TileMatrixSet
		z                       int
		scale, resolution       float64
		columns, rows           int
		originX, originY        float64
		wantLevels, wantTileEnd int
	}{
		{"Mercator 0", WebMercatorQuad(), 0, 559082264.028717, 156543.033928041, 1, 1, -20037508.3427892, 20037508.3427892, 25, 256},
		{"Mercator 10", WebMercatorQuad(), 10, 545978.773465544, 152.874056570353, 1024, 1024, -20037508.3427892, 20037508.3427892, 25, 256},
		{"Mercator 24", WebMercatorQuad(), 24, 33.3238997476529, 0.0093306919293428, 16777216, 16777216, -20037508.3427892, 20037508.3427892, 25, 256},
		{"CRS84 0", WorldCRS84Quad(), 0, 279541132.014358, 0.703125, 2, 1, -180, 90, 24, 256},
		{"CRS84 17", WorldCRS84Quad(), 17, 2132.72958384979, 5.36441802978515e-06, 262144, 131072, -180, 90, 24, 256},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := test.set.Matrices[test.z]
			if math.Abs(m.ScaleDenominator/test.scale-1) > 1e-13 || math.Abs(m.Resolution/test.resolution-1) > 1e-11 {
				t.Errorf("got scale 1:%v, resolution %v", m.ScaleDenominator, m.Resolution)
			}
			if m.Columns != test.columns || m.Rows != test.rows || m.TileWidth != 256 || m.TileHeight != 256 {
				t.Errorf("got %d × %d tiles of %d × %d", m.Columns, m.Rows, m.TileWidth, m.TileHeight)
			}
			if math.Abs(m.OriginX-test.originX) > 1e-6 || math.Abs(m.OriginY-test.originY) > 1e-6 {
				t.Errorf("got the origin %v, %v", m.OriginX, m.OriginY)
			}
			if len(test.set.Matrices) != test.wantLevels {
				t.Errorf("got %d levels", len(test.set.Matrices))
			}
		})
	}
}

func TestTileBounds(t *testing.T) {
	const edge = math.Pi * 6378137
	tests := []struct {
		name     string
		set      *TileMatrixSet
		id       TileID
		want     Bounds
		contains bool
	}{
		{"the world", WebMercatorQuad(), TileID{0, 0, 0}, Bounds{-edge, -edge, edge, edge}, true},
		{"south east", WebMercatorQuad(), TileID{1, 1, 1}, Bounds{0, -edge, edge, 0}, true},
		{"right of the world", WebMercatorQuad(), TileID{1, 2, 0}, Bounds{edge, 0, 2 * edge, edge}, false},
		{"the western hemisphere", WorldCRS84Quad(), TileID{0, 0, 0}, Bounds{-180, -90, 0, 90}, true},
		{"north east", WorldCRS84Quad(), TileID{1, 3, 0}, Bounds{90, 0, 180, 90}, true},
		{"no such level", WebMercatorQuad(), TileID{25, 0, 0}, Bounds{}, false},
		{"a negative level", WebMercatorQuad(), TileID{-1, 0, 0}, Bounds{}, false},
		{"a negative row", WebMercatorQuad(), TileID{0, 0, -1}, Bounds{-edge, edge, edge, 3 * edge}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.set.Bounds(test.id)
			for _, d := range []float64{got.MinX - test.want.MinX, got.MinY - test.want.MinY, got.MaxX - test.want.MaxX, got.MaxY - test.want.MaxY} {
				if math.Abs(d) > 1e-6 {
					t.Fatalf("got %v, want %v", got, test.want)
				}
			}
			if got := test.set.Contains(test.id); got != test.contains {
				t.Errorf("contains: got %v", got)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	mercator := WebMercatorQuad()
	infinite := math.Inf(1)
	tests := []struct {
		name                   string
		z                      int
		bounds                 Bounds
		column0, row0, column1 int
		row1                   int
		ok                     bool
	}{
		{"the world", 2, mercator.Bounds(TileID{}), 0, 0, 3, 3, true},
		{"one tile, exactly", 12, mercator.Bounds(TileID{12, 2200, 1343}), 2200, 1343, 2200, 1343, true},
		{"a point between four tiles", 1, Bounds{-100, -100, 100, 100}, 0, 0, 1, 1, true},
		{"wide and low", 3, Bounds{-2e7, 100, 2e7, 200}, 0, 3, 7, 3, true},
		{"infinite", 1, Bounds{-infinite, -infinite, infinite, infinite}, 0, 0, 1, 1, true},
		{"outside", 3, Bounds{3e7, 0, 4e7, 1}, 0, 0, 0, 0, false},
		{"empty", 3, Bounds{}, 0, 0, 0, 0, false},
		{"no level", 99, Bounds{0, 0, 1, 1}, 0, 0, 0, 0, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			column0, row0, column1, row1, ok := mercator.Limits(test.z, test.bounds)
			if column0 != test.column0 || row0 != test.row0 || column1 != test.column1 || row1 != test.row1 || ok != test.ok {
				t.Errorf("got %d %d %d %d %v", column0, row0, column1, row1, ok)
			}
		})
	}
}

func TestLattice(t *testing.T) {
	set := WebMercatorQuad()
	for _, scale := range []int{1, 2} {
		lattice := set.Lattice(5, scale)
		tile := set.Bounds(TileID{5, 7, 3})
		corner := lattice.At(float64(7*256*scale), float64(3*256*scale))
		if math.Hypot(corner.X-tile.MinX, corner.Y-tile.MaxY) > 1e-6 {
			t.Errorf("scale %d: got %v, want the top left of %v", scale, corner, tile)
		}
	}
	for _, bad := range [][2]int{{-1, 1}, {25, 1}, {0, 0}} {
		if got := set.Lattice(bad[0], bad[1]); got != (Lattice{}) {
			t.Errorf("level %d, scale %d: got %v", bad[0], bad[1], got)
		}
	}
	one, two := set.Lattice(5, 1), set.Lattice(5, 2)
	if two.ResolutionX*2 != one.ResolutionX || two.ResolutionY*2 != one.ResolutionY || two.CRS != one.CRS {
		t.Errorf("got %v and %v", one, two)
	}
}
