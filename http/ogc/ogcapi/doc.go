// Package ogcapi writes the documents of OGC API Tiles and OGC API Maps, as JSON and as HTML pages,
// and parses the parameters of their requests: bounding boxes, subsets, scales, colors, formats and
// selections of collections. It must never know requests of HTTP, layers of package layer, or
// pixels.
//
// # Words
//
//   - A Site is the address of the API; all addresses in documents begin with its root.
//   - An Origin is the subject of a map: the whole dataset, a collection, or a collection in a
//     style. The standards call all collections together the dataset.
//   - A Tiling is a tile matrix set in which an origin has tiles, with their limits.
package ogcapi
