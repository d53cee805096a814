// Package jp2k opens files of JPEG 2000 and HTJ2K: bare codestreams, and JP2, JPH and JPX
// containers. It says what the boxes around a codestream mean: bands, colors and the georeference.
// The registry of formats calls it. It owns the open source. It must never know how pixels are read
// from a codestream, nor anything of maps and HTTP.
//
// A codestream in a file of another format has no boxes, so its opener needs two packages below:
// package components opens the codestream in a range of a source, and package pixels presents it as
// a raster.Provider, with the bands that the opener defines.
//
// Words:
//
//   - A container is the boxes around a codestream.
//   - A channel is a component, or a column of a palette that a component looks up. Each channel is
//     a band, but a palette of colors is one.
//   - Side data is the georeference of an image and what files beside it say.
package jp2k
