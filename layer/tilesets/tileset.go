package tilesets

import "tileserver/geo"

// ImageID is the id of the tile matrix set of an image's pixels, without a CRS.
const ImageID = "image"

// DefaultID is the id of the tile matrix set for tile addresses that name none.
const DefaultID = "WebMercatorQuad"

// nativePrefix precedes the id of a layer in the id of its native tile matrix set.
const nativePrefix = "native-"

// NativeID returns the id of the tile matrix set of a layer's pixels in its CRS.
func NativeID(layerID string) string { return nativePrefix + layerID }

// A TileSet is a tile matrix set that a layer is served in.
type TileSet struct {
	Set              *geo.TileMatrixSet
	MinZoom, MaxZoom int // useful range, as indexes of Set.Matrices

	// Bounds are the bounds of the layer in the CRS of the set, within its tiles. For the image's
	// own set they are columns and rows.
	Bounds geo.Bounds
}

// Limits returns the first and last column and row of a level that contain pixels of the layer. ok
// is false if none do.
func (t TileSet) Limits(z int) (minColumn, minRow, maxColumn, maxRow int, ok bool) {
	if t.Set.CRS != nil {
		return t.Set.Limits(z, t.Bounds)
	}
	if z < 0 || z >= len(t.Set.Matrices) {
		return 0, 0, 0, 0, false
	}
	m := &t.Set.Matrices[z] // exactly as large as the image
	return 0, 0, m.Columns - 1, m.Rows - 1, true
}
