// Package stream walks over a level of a provider in views, for work that reads whole images: overviews,
// files that are written, statistics. Its callers say which views they want, in which order, and what they
// do with one. The package owns what lies between: which blocks a view needs, how many are read at a
// time, how long a block is kept for the views to come, and how much memory all of it takes. It knows
// providers and blocks. It must never know file formats, coordinate systems, layers or HTTP.
//
// Words:
//
//   - A *view* is a rectangle of a level and the halo around it.
//   - A *halo* is the pixels beyond the sides of a view that its caller wants to see, too.
//   - A *border* says what a halo has beyond the edges of the level.
//   - The *rank* of a view is its place in the order of the stream, from 0.
//   - A view is *in flight* from when memory is reserved for it until its caller is done with it.
//   - A *batch* is views, one after the other, whose blocks are read in one call.
//   - An *idle* block is kept for views to come, while no view in flight needs it.
//
// Views are planned one after the other, in their order. So the stream knows when a block is needed
// again: it keeps the blocks that are needed soonest, and drops a block after its last view. Memory is
// reserved in the same order, so that the view that the others wait for has its own.
package stream
