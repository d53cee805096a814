// Package raster holds the words that every floor of the house shares: what a
// block, a level, a tile of pixels and a provider of them are. It does no I/O,
// decodes nothing, and must never know a file format, a map projection or HTTP.
//
// The words
//
//   - A Provider is anything that has pixels in blocks: a file, or another
//     provider that is cached, retiled, downsampled or masked.
//   - A level is one resolution of a provider; level 0 is the finest.
//   - A block is one cell of a level's grid, named by a BlockID. Blocks at the
//     right and bottom edges are as small as what is left of the image.
//   - A Buffer is pixels that one owner is writing. Freeze turns it into a Tile,
//     which many may read and nobody writes.
//   - Validity is an 8-bit coverage beside the pixels: 0 is no data, 255 is data,
//     and between them are the soft edges that resampling makes.
package raster
