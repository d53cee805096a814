package tilesets

import (
	"math"
	"strconv"

	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
)

// tileSize is the side of the tiles of an image's own sets.
const tileSize = 256

// Image returns the tile matrix set of an image's pixels, without a CRS.
func Image(info *raster.Info) TileSet {
	l := info.Levels[0]
	set := &geo.TileMatrixSet{ID: ImageID, Title: "The image's own pixels", Matrices: imageMatrices(l.Width, l.Height)}
	return TileSet{
		Set: set, MaxZoom: len(set.Matrices) - 1,
		Bounds: geo.Bounds{MaxX: float64(l.Width), MaxY: float64(l.Height)},
	}
}

// imageMatrices returns matrices with resolutions in pixels. The last has the resolution of the
// image. Each preceding one has half of that of the next, and the first is a single tile.
func imageMatrices(width, height int) []geo.TileMatrix {
	last := 0
	for side := max(width, height); side > tileSize<<last; {
		last++
	}
	matrices := make([]geo.TileMatrix, last+1)
	for z := range matrices {
		span := tileSize << (last - z)
		matrices[z] = geo.TileMatrix{
			ID: strconv.Itoa(z), Resolution: float64(int(1) << (last - z)),
			TileWidth: tileSize, TileHeight: tileSize,
			Columns: (width + span - 1) / span, Rows: (height + span - 1) / span,
		}
	}
	return matrices
}

// Native returns the tile matrix set of an image's pixels in its CRS. The image must have
// north up and a CRS with a URI. Tile matrix sets have square pixels. If those of the image are not
// square, the set has the resolution of their shorter side, and the image is resampled along the
// longer one.
func Native(layerID string, p *pyramid.Pyramid) (TileSet, bool) {
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
		ID: NativeID(layerID), Title: title + p.CRS().Name(), CRS: p.CRS(), Matrices: imageMatrices(width, height),
	}
	for z := range set.Matrices {
		m := &set.Matrices[z]
		m.OriginX, m.OriginY = place.C, place.F
		m.SetResolution(m.Resolution*resolution, set.CRS)
	}
	bounds := p.Placement().Bounds(info.Width, info.Height)
	return TileSet{Set: set, MaxZoom: len(set.Matrices) - 1, Bounds: bounds}, true
}

// maxGridError is the maximum displacement, in pixels, of an image's last pixel from an ideal grid.
const maxGridError = 1e-3

// maxElongation is the maximum ratio of a pixel's sides that a set of square pixels is offered for.
// Typical rasters have ratios of up to three.
const maxElongation = 16

// isNorthUp reports whether an image has north up, within maxGridError, and pixels within
// maxElongation.
func isNorthUp(place geo.Affine, width, height int) bool {
	side := float64(max(width, height))
	short, long := min(place.A, -place.E), max(place.A, -place.E)
	return short > 0 && long <= maxElongation*short &&
		math.Abs(place.B)*side <= maxGridError*short && math.Abs(place.D)*side <= maxGridError*short
}

// isSquare reports whether the pixels of an image are square, within maxGridError over its longer
// side.
func isSquare(place geo.Affine, side int) bool {
	return math.Abs(place.A+place.E)*float64(side) <= maxGridError*place.A
}

// squaresAlong returns the number of squares that cover a row of pixels, each of which is
// squaresPerPixel long.
func squaresAlong(pixels int, squaresPerPixel float64) int {
	return int(math.Ceil(float64(pixels)*squaresPerPixel - maxGridError))
}
