// Package layer is where the flow of a tile is written down: from a request to
// an encoded picture, by way of a plan, blocks, pixels and a display chain. It
// knows pyramids, display and the cache; it must never know HTTP or file formats.
//
// The words
//
//   - A Dataset is an opened image and where it lies.
//   - A Layer is a dataset under a stable id, with the style it is shown in.
//   - A Catalog is all layers and what they share: caches, the gate, limits.
//   - A Request asks for a picture of a layer. Prepare settles it, without reading
//     anything, into a Job, which knows its ETag and can make the Picture.
//   - Overviews are the coarse levels that files lack. What is little is made for the
//     picture that needs it; the rest in the background, once, and pictures wait for
//     it or are Busy.
//   - A Gate bounds how much is done at a time. All work passes one; what is kept
//     does not.
package layer
