// Package ogcapi has the documents of OGC API Tiles and OGC API Maps, and reads what their
// requests say: links, collections, tilesets, the OpenAPI definition, pages for people,
// boxes, subsets, names of reference systems and media types. It must never know requests
// of HTTP, layers or pixels.
//
// # Words
//
//   - A Site is where the API is: all addresses in documents begin with its root.
//   - An Origin is what a map is made of: the whole dataset, a collection of it, or a
//     collection in a style.
//   - A Tiling is a tile matrix set in which an origin has tiles, and within which limits.
package ogcapi
