// Package raster defines the types that all packages above it share: blocks, levels, tiles of
// pixels and the providers of them. It does no I/O and decodes nothing. It must never know a file
// format, a map projection or HTTP.
//
// Words:
//
//   - A *provider* gives blocks of pixels: a file, or a wrapper that caches, retiles, downsamples
//     or masks another provider.
//   - A *level* is one resolution of a provider. Level 0 is the finest.
//   - A *block* is one cell of a level's grid, identified by a BlockID. Blocks at the right and
//     bottom edges are cut off at the edge of the image.
//   - A *buffer* is pixels that one owner is writing. Freeze turns it into a *tile*, which many
//     goroutines may read and none may write.
//   - *Validity*, or coverage, is an 8-bit weight of each pixel: 0 is nodata, 255 is data.
//     Resampling computes values in between at soft edges.
package raster
