package geo

import "math"

// TileID is the address of a map tile in a tile matrix set.
type TileID struct{ Z, X, Y int } // X column, Y row from the top

// TileMatrix is one level of a tile matrix set.
type TileMatrix struct {
	ID                    string
	OriginX, OriginY      float64 // top left corner, in CRS units
	Resolution            float64 // CRS units per pixel
	TileWidth, TileHeight int     // pixels
	Columns, Rows         int     // tiles
	ScaleDenominator      float64 // for the OGC pixel of 0.28 mm
}

// metersPerOGCPixel is the size of a "standardized rendering pixel".
const metersPerOGCPixel = 0.00028

// SetResolution sets the size of a pixel in units of crs, and the scale denominator that follows
// from it.
func (m *TileMatrix) SetResolution(resolution float64, crs *CRS) {
	m.Resolution = resolution
	m.ScaleDenominator = resolution * ogcMetersPerUnit(crs) / metersPerOGCPixel
}

// ogcMetersPerUnit returns the unit length for scale denominators. By the standard, degrees are
// those of WGS 84, whatever the datum.
func ogcMetersPerUnit(crs *CRS) float64 {
	if crs.IsGeographic() {
		return crs.unit * wgs84Axis
	}
	return crs.unit
}

// TileMatrixSet is a pyramid of tile grids in one CRS. It is shared and must not be modified.
type TileMatrixSet struct {
	ID, Title, URI    string
	CRS               *CRS
	WellKnownScaleSet string
	Matrices          []TileMatrix // coarsest first

	suitable Bounds // area, in degrees of longitude and latitude, for which the projection is meant; empty means everywhere
}

// Lattice is an endless grid of pixels in a CRS: x = OriginX + column·ResolutionX, y = OriginY -
// row·ResolutionY.
type Lattice struct {
	CRS                      *CRS
	OriginX, OriginY         float64
	ResolutionX, ResolutionY float64
}

// At returns the position of a column and row. Whole numbers are pixel corners.
func (l Lattice) At(column, row float64) Point {
	return Point{l.OriginX + column*l.ResolutionX, l.OriginY - row*l.ResolutionY}
}

// Contains reports whether the set has this tile.
func (s *TileMatrixSet) Contains(id TileID) bool {
	if id.Z < 0 || id.Z >= len(s.Matrices) {
		return false
	}
	m := &s.Matrices[id.Z]
	return id.X >= 0 && id.X < m.Columns && id.Y >= 0 && id.Y < m.Rows
}

// Level returns the level of a matrix by its name, which may differ from its index: the first one
// of UTM31WGS84Quad is "1".
func (s *TileMatrixSet) Level(id string) (z int, ok bool) {
	for z := range s.Matrices {
		if s.Matrices[z].ID == id {
			return z, true
		}
	}
	return 0, false
}

// Extent returns the bounding rectangle of all tiles.
func (s *TileMatrixSet) Extent() (extent Bounds) {
	for i := range s.Matrices {
		extent = extent.Union(s.Matrices[i].Extent())
	}
	return extent
}

// Extent returns the rectangle of all tiles of a level.
func (m *TileMatrix) Extent() Bounds {
	width, height := m.Resolution*float64(m.TileWidth), m.Resolution*float64(m.TileHeight)
	return Bounds{
		MinX: m.OriginX, MaxX: m.OriginX + float64(m.Columns)*width,
		MinY: m.OriginY - float64(m.Rows)*height, MaxY: m.OriginY,
	}
}

// Suits reports whether the projection of the set suits an image in crs with the given bounds of
// longitude and latitude. That is so if all of the image is in the area for which the projection is
// meant, or if the projection is the image's own.
func (s *TileMatrixSet) Suits(crs *CRS, lonLat Bounds) bool {
	return s.suitable.Empty() || s.suitable.around(lonLat) || sameGrid(crs, s.CRS)
}

// around reports whether b contains another rectangle, which may be whole turns of the globe away.
func (b Bounds) around(other Bounds) bool {
	const tolerance = 1e-6 // for edges that were transformed
	turns := 360 * math.Round((b.Center().X-other.Center().X)/360)
	return other.MinX+turns >= b.MinX-tolerance && other.MaxX+turns <= b.MaxX+tolerance &&
		other.MinY >= b.MinY-tolerance && other.MaxY <= b.MaxY+tolerance
}

// sameGrid reports whether two systems differ only in their false origin, as the northern and
// southern halves of a UTM zone do.
func sameGrid(a, b *CRS) bool {
	own, other := a.parameters, b.parameters
	own.FalseEasting, own.FalseNorthing = other.FalseEasting, other.FalseNorthing
	return a.method == b.method && own == other && a.unit == b.unit
}

// Bounds returns the rectangle of a tile. It is empty for a level that the set lacks.
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

// Lattice returns the pixel grid of a level. A scale of 2 halves the resolution, as "@2x" tiles do.
// It is zero for a level that the set lacks.
func (s *TileMatrixSet) Lattice(z, scale int) Lattice {
	if z < 0 || z >= len(s.Matrices) || scale < 1 {
		return Lattice{}
	}
	m := &s.Matrices[z]
	resolution := m.Resolution / float64(scale)
	return Lattice{CRS: s.CRS, OriginX: m.OriginX, OriginY: m.OriginY, ResolutionX: resolution, ResolutionY: resolution}
}

// edgeTolerance, in tiles, prevents bounds that end on a tile edge from including the next tile by
// a rounding error. It is far less than a pixel, and exceeds the rounding error of the smallest
// tiles.
const edgeTolerance = 1e-6

// Limits returns the first and last column and row that bounds touch. ok is false if bounds touch
// no tile.
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

// span clamps in floating point, so that infinite bounds are harmless.
func span(from, to float64, count int) (first, last int, ok bool) {
	from, to = math.Floor(from+edgeTolerance), math.Ceil(to-edgeTolerance)-1
	to = max(to, from) // an interval narrower than the tolerance is still one tile
	if to < 0 || from >= float64(count) {
		return 0, 0, false
	}
	return int(max(from, 0)), int(min(to, float64(count-1))), true
}
