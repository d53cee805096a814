// Package tms knows the Tile Map Service 1.0.0: grids whose rows are counted from below, and
// the documents that tell of them. It must never know what the pixels are or who asks for them.
package tms

import (
	"math"

	"tileserver/geo"
)

// Grid is a tile matrix set with its rows counted from below. The lower left corner must be the
// same on all levels, so each level has twice the columns and rows of the one before it, also
// where the set has fewer because nothing is there.
type Grid struct {
	set           *geo.TileMatrixSet
	columns, rows int // of the first level
	bounds        geo.Bounds
}

// equalTiles is within how much of a tile what should be equal may differ.
const equalTiles = 1e-6

// maxLevels keeps the numbers of tiles and the sides of levels, in pixels, well within 64 bits.
const maxLevels = 40

// GridOf makes a grid of a set; ok is false for a set whose levels do not halve each other.
func GridOf(set *geo.TileMatrixSet) (g Grid, ok bool) {
	if len(set.Matrices) == 0 || len(set.Matrices) > maxLevels {
		return Grid{}, false
	}
	first := &set.Matrices[0]
	span := first.Resolution * float64(first.TileWidth)
	if first.TileHeight != first.TileWidth || !(span > 0) {
		return Grid{}, false
	}
	for z := range set.Matrices {
		m := &set.Matrices[z]
		if m.TileWidth != first.TileWidth || m.TileHeight != first.TileHeight || m.Columns>>z > first.Columns || m.Rows>>z > first.Rows {
			return Grid{}, false
		}
		tolerance := equalTiles * math.Ldexp(span, -z)
		shift := math.Abs(m.OriginX-first.OriginX) + math.Abs(m.OriginY-first.OriginY)
		if stretch := math.Abs(math.Ldexp(m.Resolution, z)/first.Resolution - 1); shift > tolerance || stretch > equalTiles {
			return Grid{}, false
		}
	}
	g = Grid{set: set, columns: first.Columns, rows: first.Rows}
	g.bounds = geo.Bounds{
		MinX: first.OriginX, MaxX: first.OriginX + span*float64(g.columns),
		MinY: first.OriginY - span*float64(g.rows), MaxY: first.OriginY,
	}
	return g, true
}

// ID is that of the set.
func (g Grid) ID() string { return g.set.ID }

// Bounds are those of all tiles.
func (g Grid) Bounds() geo.Bounds { return g.bounds }

// Tile is the one with a row that is counted from below, with its row counted from above; ok
// is false where there is none.
func (g Grid) Tile(z, x, y int) (id geo.TileID, ok bool) {
	if z < 0 || z >= len(g.set.Matrices) || x < 0 || y < 0 || x>>z >= g.columns || y>>z >= g.rows {
		return geo.TileID{}, false
	}
	return geo.TileID{Z: z, X: x, Y: g.rows<<z - 1 - y}, true
}

// UnitsPerPixel are those of the levels from the first to the last that is worth showing.
func (g Grid) UnitsPerPixel(last int) []float64 {
	var units []float64
	for _, m := range g.set.Matrices[:min(last+1, len(g.set.Matrices))] {
		units = append(units, m.Resolution)
	}
	return units
}

// TileSide is that of every tile, in pixels.
func (g Grid) TileSide() int { return g.set.Matrices[0].TileWidth }

// The profiles.
const (
	GlobalMercator = "global-mercator"
	GlobalGeodetic = "global-geodetic"
	Local          = "local"
)

// Profile is the name under which clients may know the grid.
func (g Grid) Profile() string {
	switch g.set.ID {
	case "WebMercatorQuad":
		return GlobalMercator
	case "WorldCRS84Quad":
		return GlobalGeodetic
	}
	return Local
}

// pixelSRS is what stands for pixels that lie nowhere: GDAL takes no map without a system.
const pixelSRS = `LOCAL_CS["Pixels",UNIT["pixel",1]]`

// SRS is the name of the reference system, or what describes that of pixels; ok is false if it
// has no name that a client would know. Whatever it is, the first coordinate is that to the
// right.
func (g Grid) SRS() (name string, ok bool) {
	crs := g.set.CRS
	switch {
	case crs == nil:
		return pixelSRS, true
	case crs == geo.CRS84():
		return "EPSG:4326", true
	}
	return crs.Code(), crs.URI() != ""
}
