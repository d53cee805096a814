// Package tilesets chooses the tile matrix sets that an image is served in, and the range of levels
// that is useful in each: registered and custom sets that it fits, and two of its own, whose tiles
// show its pixels.
//
// Package layer calls it to describe a layer, and package areas to find the set of a tile. Package
// http knows the ids of the sets. It owns the geometry of an image's own sets. It is arithmetic
// only and must never read pixels, nor know styles or pictures.
//
// Words:
//
//   - A *set* is a geo.TileMatrixSet, and a TileSet is one with the levels and bounds of an image.
//   - A *custom* set is defined by the configuration.
//   - An image's *own* sets are the image set, in columns and rows, and the native set, in its CRS.
package tilesets
