// Package providers chains the providers between the blocks of a file and the pixels that pictures
// read. In order, they convert colors, cache blocks, turn the image upright, mask nodata, retile,
// build overviews, and place the image on the earth.
//
// Package layer calls it for each version of a dataset, and again for styles that mask another
// nodata value or pick pixels. It owns the shares of the cache that blocks and overviews get. It
// must never know styles, requests or pictures.
//
// Words:
//
//   - *Converted* samples are those that styles refer to: colors instead of inks, magnitudes
//     instead of complex numbers.
//   - *Stored* levels are in the file.
package providers
