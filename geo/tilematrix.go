package geo

import "math"

// TileID is the address of a tile in a tile matrix set.
type TileID struct{ Z, X, Y int } // X column, Y row from the top

// TileMatrix is one zoom level.
type TileMatrix struct {
	ID                    string
	OriginX, OriginY      float64 // the top left corner, in CRS units
	Resolution            float64 // CRS units per pixel
	TileWidth, TileHeight int     // pixels
	Columns, Rows         int     // tiles
	ScaleDenominator      float64 // by the OGC pixel of 0.28 mm
}

// TileMatrixSet is a pyramid of tile grids in one CRS. It is shared and must not be changed.
type TileMatrixSet struct {
	ID, Title, URI    string
	CRS               *CRS
	WellKnownScaleSet string
	Matrices          []TileMatrix
}

// Lattice is an endless grid of pixels in a CRS: x = OriginX + column·ResolutionX, y = OriginY - row·ResolutionY.
type Lattice struct {
	CRS                      *CRS
	OriginX, OriginY         float64
	ResolutionX, ResolutionY float64
}

// At is the position of a column and row; whole numbers are pixel corners.
func (l Lattice) At(column, row float64) Point {
	return Point{l.OriginX + column*l.ResolutionX, l.OriginY - row*l.ResolutionY}
}

// Contains is true where the set has such a tile.
func (s *TileMatrixSet) Contains(id TileID) bool {
	if id.Z < 0 || id.Z >= len(s.Matrices) {
		return false
	}
	m := &s.Matrices[id.Z]
	return id.X >= 0 && id.X < m.Columns && id.Y >= 0 && id.Y < m.Rows
}

// Bounds is the rectangle of a tile; it is empty for a level that the set does not have.
func (s *TileMatrixSet) Bounds(id TileID) Bounds {
	if id.Z < 0 || id.Z >= len(s.Matrices) {
		return Bounds{}
	}
	m := &s.Matrices[id.Z]
	width, height := m.Resolution*float64(m.TileWidth), m.Resolution*float64(m.TileHeight)
	return Bounds{
		MinX: m.OriginX + float64(id.X)*width,
		MaxX: m.OriginX + float64(id.X+1)*width,
		MinY: m.OriginY - float64(id.Y+1)*height,
		MaxY: m.OriginY - float64(id.Y)*height,
	}
}

// Lattice is the pixel grid of a level; scale 2 halves the resolution, as "@2x" tiles do. It is zero for a level that the
// set does not have.
func (s *TileMatrixSet) Lattice(z, scale int) Lattice {
	if z < 0 || z >= len(s.Matrices) || scale < 1 {
		return Lattice{}
	}
	m := &s.Matrices[z]
	resolution := m.Resolution / float64(scale)
	return Lattice{CRS: s.CRS, OriginX: m.OriginX, OriginY: m.OriginY, ResolutionX: resolution, ResolutionY: resolution}
}

// edgeTolerance, in tiles, keeps bounds that end on a tile edge from claiming the next tile for a rounding error. It is far
// less than a pixel, and more than rounding makes of the smallest tiles.
const edgeTolerance = 1e-6

// Limits are the first and last column and row that bounds touch; ok is false where they touch none.
func (s *TileMatrixSet) Limits(z int, bounds Bounds) (minColumn, minRow, maxColumn, maxRow int, ok bool) {
	if z < 0 || z >= len(s.Matrices) || bounds.Empty() {
		return 0, 0, 0, 0, false
	}
	m := &s.Matrices[z]
	width, height := m.Resolution*float64(m.TileWidth), m.Resolution*float64(m.TileHeight)
	minColumn, maxColumn, okColumns := span((bounds.MinX-m.OriginX)/width, (bounds.MaxX-m.OriginX)/width, m.Columns)
	minRow, maxRow, okRows := span((m.OriginY-bounds.MaxY)/height, (m.OriginY-bounds.MinY)/height, m.Rows)
	if !okColumns || !okRows {
		return 0, 0, 0, 0, false
	}
	return minColumn, minRow, maxColumn, maxRow, true
}

// span clamps while still in floating point, so that infinite bounds are harmless.
func span(from, to float64, count int) (first, last int, ok bool) {
	from, to = math.Floor(from+edgeTolerance), math.Ceil(to-edgeTolerance)-1
	to = max(to, from) // less than the tolerance wide is still one tile
	if to < 0 || from >= float64(count) {
		return 0, 0, false
	}
	return int(max(from, 0)), int(min(to, float64(count-1))), true
}
