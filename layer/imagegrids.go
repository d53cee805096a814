package layer

import (
	"math"
	"strconv"

	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
)

// ownTileSize is the side of the tiles of an image's own grids.
const imageTileSize = 256

// imageTileSet is the grid of an image's own pixels.
func imageTileSet(info *raster.Info) TileSet {
	l := info.Levels[0]
	set := &geo.TileMatrixSet{ID: ImageTileSetID, Title: "The image's own pixels", Matrices: imageMatrices(l.Width, l.Height)}
	return TileSet{
		Set: set, MaxZoom: len(set.Matrices) - 1,
		Bounds: geo.Bounds{MaxX: float64(l.Width), MaxY: float64(l.Height)},
	}
}

// ownMatrices count in pixels: the last matrix has them as they are, each one before it is half as fine, and the first is
// one tile.
func imageMatrices(width, height int) []geo.TileMatrix {
	last := 0
	for side := max(width, height); side > imageTileSize<<last; {
		last++
	}
	matrices := make([]geo.TileMatrix, last+1)
	for z := range matrices {
		span := imageTileSize << (last - z)
		matrices[z] = geo.TileMatrix{
			ID: strconv.Itoa(z), Resolution: float64(int(1) << (last - z)),
			TileWidth: imageTileSize, TileHeight: imageTileSize,
			Columns: (width + span - 1) / span, Rows: (height + span - 1) / span,
		}
	}
	return matrices
}

// nativeTileSet is the grid of an image's own pixels where they lie. Only one that has north up and a reference system with
// a name has it. Tile matrix sets are of squares: where pixels are none, the squares are as fine as the shorter side of a
// pixel, and along the other side the image is resampled.
func nativeTileSet(id string, p *pyramid.Pyramid) (TileSet, bool) {
	info := p.Provider().Info().Levels[0]
	place, ok := geo.AffineOf(p.Placement())
	if !ok || p.CRS().URI() == "" || !isNorthUp(place, info.Width, info.Height) {
		return TileSet{}, false
	}
	title, resolution, width, height := "The image's own pixels in ", place.A, info.Width, info.Height
	if !isSquare(place, max(width, height)) {
		title, resolution = "Squares as fine as the image's own pixels in ", min(place.A, -place.E)
		width, height = squaresAlong(width, place.A/resolution), squaresAlong(height, -place.E/resolution)
	}
	set := &geo.TileMatrixSet{
		ID: nativePrefix + id, Title: title + p.CRS().Name(), CRS: p.CRS(), Matrices: imageMatrices(width, height),
	}
	for z := range set.Matrices {
		m := &set.Matrices[z]
		m.OriginX, m.OriginY = place.C, place.F
		m.SetResolution(m.Resolution*resolution, set.CRS)
	}
	bounds := p.Placement().Bounds(info.Width, info.Height)
	return TileSet{Set: set, MaxZoom: len(set.Matrices) - 1, Bounds: bounds}, true
}

// lostPixels is how far off the last pixel of an image may be that is taken for a straight grid.
const maxGridError = 1e-3

// maxElongation is how many times as long as wide a pixel may be, or the other way round, for squares to be made of it. Those
// of rasters that people have are two or three times as long.
const maxElongation = 16

// isNorthUp tells whether an image is a straight grid, as exactly as its last pixel shows it, of pixels that are not too long.
func isNorthUp(place geo.Affine, width, height int) bool {
	side := float64(max(width, height))
	short, long := min(place.A, -place.E), max(place.A, -place.E)
	return short > 0 && long <= maxElongation*short &&
		math.Abs(place.B)*side <= maxGridError*short && math.Abs(place.D)*side <= maxGridError*short
}

// isSquare tells whether the pixels of an image are squares, as exactly as its last pixel shows it.
func isSquare(place geo.Affine, side int) bool {
	return math.Abs(place.A+place.E)*float64(side) <= maxGridError*place.A
}

// squaresAlong is how many squares reach along pixels of which each is so many squares long.
func squaresAlong(pixels int, squaresPerPixel float64) int {
	return int(math.Ceil(float64(pixels)*squaresPerPixel - maxGridError))
}
