// Package pyramid reads a view of a map, or of an image in its own pixels, from a provider. It
// plans which blocks a view needs, reads them, and resamples them to one tile. It knows providers
// and coordinate systems. It must never know file formats, colors, caches or HTTP.
//
// Every pixel depends only on its position in the lattice and not on the rest of the view. So
// neighboring map tiles join without a seam, and a view can be split anywhere without changing a
// pixel.
//
// Words:
//
//   - A *lattice* is an endless grid of pixels with an origin and a resolution.
//   - A *view* is a rectangle of a lattice to be filled with pixels.
//   - A *plan* is the level, blocks and windows that a view needs. Planning does no I/O.
//   - A *cell* is a square of the lattice in which positions are interpolated.
//   - A *position* is a point of a level in fixed-point units of 1/2^20 pixel.
package pyramid
