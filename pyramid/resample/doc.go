// Package resample computes pixels from other pixels: a row of a view from the window under it by a
// kernel, and one pixel of a coarser level from four. It weighs by coverage, so that nodata never
// bleeds into its neighbors, and turns opacity into coverage. Packages pyramid and overview call
// it. It has the assembly of kernels. It knows tiles of pixels. It must never know providers, levels
// or coordinate systems.
//
// A pixel must be the same on every machine. So sums are taken in one order everywhere, and products
// are rounded before they are added: a conversion around a product prevents fused multiply-add.
//
// Words:
//
//   - A *method* is how a client names a resampling; a *kernel* is its weight function at a scale.
//   - A *tap* is a pixel under a kernel in one direction.
//   - A *phase* is the fraction of a position behind a pixel center, in units of 1/256 pixel.
//   - A *partial* pixel has invalid pixels under its kernel.
package resample
