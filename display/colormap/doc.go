// Package colormap turns samples into colours: maps that people know by name, and maps that
// they write down themselves as colours at values, of intervals or of categories. It must
// never know about rasters, requests or pictures.
//
// A ramp has 256 colours, for samples that were stretched to 0 to 255 before. All other maps
// are about samples as they are.
package colormap

//go:generate go run ./generate -out tables.zip
