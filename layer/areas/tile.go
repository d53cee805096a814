package areas

import (
	"tileserver/geo"
	"tileserver/layer/tilesets"
	"tileserver/nearest"
	"tileserver/raster"
)

// A Tile is a tile of a tile matrix set.
type Tile struct {
	TileSet string
	Tile    geo.TileID
	Scale   int // factor for the pixels per side; 0 means 1
	Side    int // pixels per side, instead of Scale; 0 uses Scale
}

// MaxSideScale is the maximum factor for the pixels per side of a tile.
const MaxSideScale = 4

// SideScale returns side divided by usual, the regular side of a tile. It must be a whole number.
func SideScale(side, usual int) (int, error) {
	if scale := side / usual; side%usual == 0 && scale >= 1 && scale <= MaxSideScale {
		return scale, nil
	}
	return 0, &Error{Err: &SideError{side, usual}}
}

// scale returns the factor for the pixels per side of a tile of the matrix.
func (a Tile) scale(m *geo.TileMatrix) (int, error) {
	if a.Side == 0 {
		return max(a.Scale, 1), nil
	}
	return SideScale(a.Side, m.TileWidth)
}

// Resolve returns the lattice of the matrix and the rectangle of the tile.
func (a Tile) Resolve(_ raster.Level, sets *tilesets.List) (geo.Lattice, raster.Rect, error) {
	set, ok := sets.Find(a.TileSet)
	if !ok {
		return geo.Lattice{}, raster.Rect{}, missing("there is no tile matrix set %.64q%s", a.TileSet, nearest.Hint(a.TileSet, sets.IDs()))
	}
	if !set.Contains(a.Tile) {
		return geo.Lattice{}, raster.Rect{}, missing("%s has no tile %d/%d/%d", a.TileSet, a.Tile.Z, a.Tile.X, a.Tile.Y)
	}
	m := &set.Matrices[a.Tile.Z]
	scale, err := a.scale(m)
	if err != nil {
		return geo.Lattice{}, raster.Rect{}, err
	}
	lattice := set.Lattice(a.Tile.Z, scale)
	if set.CRS == nil {
		lattice.ResolutionY = -lattice.ResolutionY
	}
	width, height := m.TileWidth*scale, m.TileHeight*scale
	x, y := a.Tile.X*width, a.Tile.Y*height
	return lattice, raster.Rect{X0: x, Y0: y, X1: x + width, Y1: y + height}, nil
}
