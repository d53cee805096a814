// Package layer turns requests into encoded pictures, samples and statistics. It prepares a
// request, plans the blocks to read, reads and resamples them, applies the display chain and
// encodes the result.
//
// Package http and the commands call it. It owns the cache of pictures, the budget of rendering and
// the gate. It knows pyramids, display and the cache. It must never know HTTP or file formats.
//
// The packages below it do parts of its work:
//
//   - listing orders the layers, and finds those of a search.
//   - areas and tilesets say what a picture shows.
//   - versions opens the versions of a file that changes.
//   - providers chains what is read of a version.
//   - overviewbuild builds overviews in the background.
//   - analysis computes the statistics of datasets, and compiles display chains from them.
//
// Words:
//
//   - A *dataset* is one opened version of a file with its side files.
//   - A *version* is a dataset with the providers built on it. A layer has one current version;
//     package versions opens the next one.
//   - A *layer* is a dataset under a stable id with a style.
//   - A *catalog* holds all layers and what they share: caches, the gate, limits.
//   - A *request* asks for a picture of a layer, and a *stack* for one of several layers drawn over
//     each other. Prepare and PrepareStack validate it without reading pixels.
//   - An *appearance* is a layer in a style and a format. Questions about all of its pictures are
//     asked of it, without preparing one.
//   - Prepare returns a *composition*, which has a key and renders the picture. It has *parts*:
//     each is a version of a dataset with a style in a lattice. The only part of a request is the
//     picture itself; those of a stack are drawn over a canvas.
//   - *Overviews* are built for files that lack coarse levels. A request builds small ones itself.
//     Large ones are built once, by package overviewbuild; requests wait for them or fail as Busy.
//   - The *gate* bounds how many pictures are rendered at a time: each takes a *slot*. Cached
//     pictures need no slot.
package layer
