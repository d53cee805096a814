// Package overview builds the levels that a provider lacks, each from the level below. What is
// cheap is built within a request; for the rest, Build makes one sweep over the stored level, which
// package layer runs in the background. It has the shape of built blocks, the cost of building
// them, and what is cached on the way. It knows providers and blocks. It must never know views,
// coordinate systems, file formats or HTTP.
//
// Words:
//
//   - A *built* level is an overview that we compute; a *stored* level is in the file.
//   - A *group* is the blocks of a built level that are computed together.
//   - A *piece* is a rectangle of the stored level that is read and halved at a time.
package overview
