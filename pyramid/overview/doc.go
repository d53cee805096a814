// Package overview builds the levels that a provider lacks, each from the level below. What is
// cheap is built within a request; for the rest, Build makes one sweep over the stored level, which
// package layer runs in the background. It has the shape of built blocks, the cost of building
// them, what is cached on the way, and the bytes of a saved block. It knows providers and blocks. It
// must never know views, coordinate systems, file formats, folders or HTTP.
//
// Words:
//
//   - A *built* level is an overview that we compute; a *stored* level is in the file.
//   - A *group* is the blocks of a built level that are computed together.
//   - A *piece* is a rectangle of the stored level that is read and halved at a time.
//   - A *band set* is the bands that are built together, whichever of them a request wants. So
//     requests for other bands, or in another order, share the built blocks.
//   - *Unmasked* overviews are those of the image without a nodata value that the source masks. Their
//     blocks serve where no sample has the value.
//   - A *saved* block is a built one that outlives the process.
package overview
