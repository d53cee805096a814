// Package pyramid maps a view of a map, or of the image itself, onto the blocks
// of a provider and back into one tile of pixels. It knows providers, coordinate
// systems and the cache; it must never know file formats, colors or HTTP.
//
// A View is what is wanted: a rectangle of an endless lattice of pixels. A Plan
// is what that takes: a level, and the blocks and windows of it. Planning is
// arithmetic. Everything about a pixel follows from its place in the lattice and
// from nothing else about the view, so that neighboring tiles join without a
// seam, and a view is the same picture however it is cut.
package pyramid
