// Package tilemap implements the Tile Map Service 1.0.0: grids whose rows count from the bottom, and
// the documents of services and maps. It must never know pixels or requests.
package tilemap

import (
	"math"

	"tileserver/geo"
)

// Grid is a tile matrix set with rows counted from the bottom. The lower left corner must be the
// same on all levels. So each level has twice the columns and rows of the level before, even if the
// set has fewer because the rest would be empty.
type Grid struct {
	set           *geo.TileMatrixSet
	columns, rows int // of the first level
	bounds        geo.Bounds
}

// equalTiles is the tolerance of equal positions and scales, as a fraction of a tile.
const equalTiles = 1e-6

// maxLevels keeps tile numbers and the pixels of a level's side within 64 bits.
const maxLevels = 40

// GridOf returns the grid of a set. ok is false if its levels do not halve each other.
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

// ID returns the id of the set.
func (g Grid) ID() string { return g.set.ID }

// Bounds returns the bounds of all tiles.
func (g Grid) Bounds() geo.Bounds { return g.bounds }

// Tile converts a tile address from rows that count from the bottom to rows that count from the
// top. ok is false if there is no such tile.
func (g Grid) Tile(z, x, y int) (id geo.TileID, ok bool) {
	if z < 0 || z >= len(g.set.Matrices) || x < 0 || y < 0 || x>>z >= g.columns || y>>z >= g.rows {
		return geo.TileID{}, false
	}
	return geo.TileID{Z: z, X: x, Y: g.rows<<z - 1 - y}, true
}

// UnitsPerPixel returns the resolutions of the levels up to maxLevel.
func (g Grid) UnitsPerPixel(maxLevel int) []float64 {
	var units []float64
	for _, m := range g.set.Matrices[:min(maxLevel+1, len(g.set.Matrices))] {
		units = append(units, m.Resolution)
	}
	return units
}

// TileSide returns the side of every tile, in pixels.
func (g Grid) TileSide() int { return g.set.Matrices[0].TileWidth }

// The profiles of the standard.
const (
	GlobalMercator = "global-mercator"
	GlobalGeodetic = "global-geodetic"
	Local          = "local"
)

// Profile returns the standard's profile of the grid.
func (g Grid) Profile() string {
	switch g.set.ID {
	case "WebMercatorQuad":
		return GlobalMercator
	case "WorldCRS84Quad":
		return GlobalGeodetic
	}
	return Local
}

// pixelSRS describes image pixels without a position on earth: GDAL rejects a map without a CRS.
const pixelSRS = `LOCAL_CS["Pixels",UNIT["pixel",1]]`

// SRS returns the name of the reference system, or a description for image pixels. ok is false if
// it has no name that clients know. The first coordinate always runs to the right.
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
