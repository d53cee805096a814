// Package areas says what a picture shows of an image: a tile of a tile matrix set, a box of a
// reference system, a rectangle of the halved image, or all of it. It turns each into a lattice and
// a rectangle of its pixels.
//
// Package layer resolves the area of a request, and package http makes areas of addresses and
// parameters. It is arithmetic only: it must never read pixels, nor know styles, formats or the
// limits of a server.
package areas

import (
	"tileserver/geo"
	"tileserver/layer/tilesets"
	"tileserver/raster"
)

// An Area is what a picture shows: a Tile, Box, Level or Preview.
type Area interface {
	// Resolve returns the lattice of the picture's pixels, and which of them to show. image is the
	// finest level of the image, and sets are those that tiles are found in.
	Resolve(image raster.Level, sets *tilesets.List) (geo.Lattice, raster.Rect, error)
}
