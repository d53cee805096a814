// Package jp2k reads JPEG 2000 and HTJ2K, as bare codestreams and in JP2, JPH and JPX containers.
// It presents an image as a raster.Provider that decodes only the code-blocks that a window needs.
// The opener of files calls it; it owns the open source and, through Shared, the caches. It must
// never know how a code-block or a wavelet is decoded, nor anything of maps and HTTP.
//
// Reading goes in steps:
//
//   - Blocks and Window divide their rectangle into patches, and the patches into batches.
//   - Each batch becomes a request, with a component request for each component that it needs.
//   - plan divides component requests at the borders of tiles into tile windows, loads the index
//     or the packet map of these tiles, and lists the keys of the code-blocks.
//   - fetch takes code-blocks from the cache, reads the bytes of all others with one ReadRanges,
//     and decodes them with a decodeJob.
//   - An assembleJob inverts the wavelet and the color transform, and stores samples in outputs.
//   - An indirectJob computes the bands that are not samples of a component as they are.
//
// Words, beside those of the packages codestream and packets:
//
//   - A patch is a rectangle of a level whose pixels are read together.
//   - A batch is the patches that are read at a time. Their memory is reserved together.
//   - An output is the buffer of one block or window. A target is one band of an output.
//   - A reduction is a number of halvings: reduction 0 is the finest resolution of a component.
//   - A component request asks for samples of one component at a reduction, for some targets.
//   - A tile window is a rectangle of one tile that is assembled as one: of one component, or of
//     the three that are transformed together (then it is joint).
//   - A component window, a resolution window and a band window are what a tile window needs of a
//     component, of one of its resolutions and of one of their bands.
//   - A sampling relates the pixels of a level to the samples of a component, which may be coarser.
//   - An indirect band is coarser than the level, looked up in a palette, or scaled.
//   - An index holds the code-blocks of a tile. A packet map holds the location of its packets,
//     which are then read precinct by precinct.
//   - A hole is a rectangle of samples that are not stored. A loss is what damage costs.
//   - A workspace is scratch memory of one worker, reused between jobs.
//   - Side data is the georeference of an image and what files beside it say.
package jp2k
