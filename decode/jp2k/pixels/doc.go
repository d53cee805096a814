// Package pixels presents a codestream of JPEG 2000 or HTJ2K as a raster.Provider with windows,
// wherever the codestream lies. The openers of formats with codestreams call it and say which
// components are its bands. It owns nothing but the grid of pixels. It must never know how a
// component is read, nor the file around the codestream.
//
// Reading goes in steps:
//
//   - Blocks and Window divide their rectangle into patches, and the patches into batches.
//   - Each batch becomes a request for samples of components, which package components runs.
//   - An indirectJob computes the bands that are not samples of a component as they are.
//
// Words, beside those of the package components:
//
//   - A patch is a rectangle of a level whose pixels are read together.
//   - A batch is the patches that are read at a time. Their memory is reserved together.
//   - A sampling relates the pixels of a level to the samples of a component, which may be coarser.
//   - An indirect band is coarser than the level, or its samples are converted.
package pixels
