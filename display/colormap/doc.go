// Package colormap maps samples to colors. It has named maps, and maps that users define by colors
// at values, of intervals or of categories. Packages display, layer and http call it. It must never
// know about rasters, requests or pictures.
//
// A ramp has 256 colors for samples that were stretched to 0 to 255. All other maps apply to
// unscaled samples.
package colormap

//go:generate go run ./generate -out tables.zip
