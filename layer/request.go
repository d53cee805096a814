package layer

import (
	"tileserver/geo"
	"tileserver/nearest"
	"tileserver/pyramid"
	"tileserver/raster"
	"tileserver/style"
)

// A Request asks for a picture of a layer.
type Request struct {
	Layer    *Layer // may be removed from the catalog meanwhile
	Area     Area
	Style    style.Style
	Format   Format
	Encoding Encoding
	Finish   Finish
	Unmasked bool // of NPY: without the validity mask
}

// An Area is what a picture shows: a TileArea, BoxArea, LevelArea or PreviewArea.
type Area interface {
	resolve(p *pyramid.Pyramid, sets tileSets) (geo.Lattice, raster.Rect, error)
}

// A TileArea is a tile of a tile matrix set.
type TileArea struct {
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
	err := &TileSideError{side, usual}
	return 0, &Error{Code: Invalid, Message: err.Error(), Err: err}
}

// scale returns the factor for the pixels per side of a tile of the matrix.
func (a TileArea) scale(m *geo.TileMatrix) (int, error) {
	if a.Side == 0 {
		return max(a.Scale, 1), nil
	}
	return SideScale(a.Side, m.TileWidth)
}

func (a TileArea) resolve(_ *pyramid.Pyramid, sets tileSets) (geo.Lattice, raster.Rect, error) {
	set, err := sets.byID(a.TileSet)
	if err != nil {
		return geo.Lattice{}, raster.Rect{}, err
	}
	if !set.Contains(a.Tile) {
		return geo.Lattice{}, raster.Rect{}, notFound("%s has no tile %d/%d/%d", a.TileSet, a.Tile.Z, a.Tile.X, a.Tile.Y)
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

// tileSets finds the tile matrix sets of a version of a layer.
type tileSets struct {
	layer   *Layer
	version *version
}

// byID returns a set that the layer is served in, or any other known set: there the layer is empty.
func (t tileSets) byID(id string) (*geo.TileMatrixSet, error) {
	for _, own := range t.version.describe().TileSets {
		if own.Set.ID == id {
			return own.Set, nil
		}
	}
	if set, ok := geo.TileMatrixSetByID(id); ok {
		return set, nil
	}
	for _, set := range t.layer.config.TileSets {
		if set.ID == id {
			return set, nil
		}
	}
	return nil, notFound("there is no tile matrix set %.64q%s", id, nearest.Hint(id, t.ids()))
}

// ids returns the ids of the sets that the layer is served in.
func (t tileSets) ids() (ids []string) {
	for _, own := range t.version.describe().TileSets {
		ids = append(ids, own.Set.ID)
	}
	return ids
}

// A BoxArea is a rectangle of a CRS. If CRS is nil, the unit is a pixel of the image.
type BoxArea struct {
	CRS           *geo.CRS
	Bounds        geo.Bounds
	Width, Height int // of the picture
}

func (a BoxArea) resolve(*pyramid.Pyramid, tileSets) (geo.Lattice, raster.Rect, error) {
	b := a.Bounds
	if a.Width <= 0 || a.Height <= 0 || b.Empty() {
		return geo.Lattice{}, raster.Rect{}, &Error{Code: Invalid, Message: ErrEmptyBox.Error(), Err: ErrEmptyBox}
	}
	lattice := geo.Lattice{
		CRS: a.CRS, OriginX: b.MinX, OriginY: b.MaxY,
		ResolutionX: b.Width() / float64(a.Width), ResolutionY: b.Height() / float64(a.Height),
	}
	if a.CRS == nil {
		lattice.OriginY, lattice.ResolutionY = b.MinY, -lattice.ResolutionY
	}
	return lattice, raster.Rect{X1: a.Width, Y1: a.Height}, nil
}
