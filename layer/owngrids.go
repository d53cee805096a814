package layer

import (
	"math"
	"strconv"

	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
)

// ownTileSize is the side of the tiles of an image's own grids.
const ownTileSize = 256

// imageTileSet is the grid of an image's own pixels.
func imageTileSet(info *raster.Info) TileSet {
	l := info.Levels[0]
	set := &geo.TileMatrixSet{ID: ImageTileSetID, Title: "The image's own pixels", Matrices: ownMatrices(l.Width, l.Height)}
	return TileSet{
		Set: set, MaxZoom: len(set.Matrices) - 1,
		Bounds: geo.Bounds{MaxX: float64(l.Width), MaxY: float64(l.Height)},
	}
}

// ownMatrices count in pixels: the last matrix has them as they are, each one before it is half as fine, and the first is
// one tile.
func ownMatrices(width, height int) []geo.TileMatrix {
	last := 0
	for side := max(width, height); side > ownTileSize<<last; {
		last++
	}
	matrices := make([]geo.TileMatrix, last+1)
	for z := range matrices {
		span := ownTileSize << (last - z)
		matrices[z] = geo.TileMatrix{
			ID: strconv.Itoa(z), Resolution: float64(int(1) << (last - z)),
			TileWidth: ownTileSize, TileHeight: ownTileSize,
			Columns: (width + span - 1) / span, Rows: (height + span - 1) / span,
		}
	}
	return matrices
}

// nativeTileSet is the grid of an image's own pixels where they lie. Only one that has north up, square pixels and a
// reference system with a name has it.
func nativeTileSet(id string, p *pyramid.Pyramid) (TileSet, bool) {
	info := p.Provider().Info().Levels[0]
	place, ok := geo.AffineOf(p.Placement())
	if !ok || p.CRS().URI() == "" || !isNorthUp(place, info.Width, info.Height) {
		return TileSet{}, false
	}
	set := &geo.TileMatrixSet{
		ID: nativePrefix + id, Title: "The image's own pixels in " + p.CRS().Name(), CRS: p.CRS(),
		Matrices: ownMatrices(info.Width, info.Height),
	}
	for z := range set.Matrices {
		m := &set.Matrices[z]
		m.OriginX, m.OriginY = place.C, place.F
		m.SetResolution(m.Resolution*place.A, set.CRS)
	}
	bounds := p.Placement().Bounds(info.Width, info.Height)
	return TileSet{Set: set, MaxZoom: len(set.Matrices) - 1, Bounds: bounds}, true
}

// isNorthUp tells whether an image is a straight grid of squares, as exactly as its last pixel shows it.
func isNorthUp(place geo.Affine, width, height int) bool {
	const lostPixels = 1e-3
	side := float64(max(width, height))
	return place.A > 0 && math.Abs(place.A+place.E)*side <= lostPixels*place.A &&
		math.Abs(place.B)*side <= lostPixels*place.A && math.Abs(place.D)*side <= lostPixels*place.A
}
