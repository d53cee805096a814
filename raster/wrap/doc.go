// Package wrap has the wrappers around providers that change samples, coverage or blocks: a mask, a
// grid of other blocks, an upright orientation, the magnitudes of complex samples, and bytes in
// place of samples of few bits. Package layer chains them. The package knows package raster alone.
// It must never know a cache, a file format, a map projection or the style of a picture.
package wrap
