// Package display turns samples into pictures: it chooses bands, stretches them to
// eight bits by statistics of the whole dataset, colours them and encodes the result.
// It must never know a file format, a map projection, HTTP or how a tile was put together.
//
// The words
//
//   - A Spec is what somebody asked for; the zero Spec asks for what a person would expect.
//   - Resolve settles a Spec for one dataset: which bands, which stretch, which colours.
//   - Statistics are taken once of a dataset, the same ones by every process that does it.
//   - A Chain is a Resolved with its tables built; it renders any number of tiles at once.
//   - A Picture is eight-bit pixels, not premultiplied; an Encoder makes a file of it.
package display
