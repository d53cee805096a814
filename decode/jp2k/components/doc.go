// Package components reads samples of the components of a JPEG 2000 or HTJ2K codestream, wherever
// the codestream lies in a source. It decodes only the code-blocks that they need. Package pixels
// calls it, and whatever opens a codestream; it owns the caches, through Shared. It must never know
// how a code-block or a wavelet is decoded, what components mean, or the file around them.
//
// Reading goes in steps:
//
//   - A caller adds component requests to a Request, with the outputs of their samples.
//   - Plan divides component requests at the borders of tiles into tile windows, loads the index
//     or the packet map of these tiles, and lists the keys of the code-blocks.
//   - Of a request in bulk, Run first has a device compute whole tiles, if one is worth it.
//   - It takes code-blocks from the cache, reads the bytes of all others with one ReadRanges,
//     and decodes them with a decodeJob.
//   - An assembleJob inverts the wavelet and the color transform, and stores samples in outputs.
//
// Words, beside those of the packages codestream and packets:
//
//   - An output is a buffer for samples. A target is one band of an output.
//   - A reduction is a number of halvings: reduction 0 is the finest resolution of a component.
//   - A component request asks for samples of one component at a reduction, for some targets.
//   - A tile window is a rectangle of one tile that is assembled as one: of one component, or of
//     the three that are transformed together (then it is joint).
//   - A component window, a resolution window and a band window are what a tile window needs of a
//     component, of one of its resolutions and of one of their bands.
//   - A group is the code-blocks in a cell of a band, which are cached as one. A request's own groups
//     are those that no sample outside of a request in bulk needs. They are not cached.
//   - An index holds the code-blocks of a tile. A packet map holds the location of its packets,
//     which are then read precinct by precinct.
//   - A walk reads a far tile from its beginning to its end, in pieces that are under way at a time.
//   - A hole is a rectangle of samples that are not stored. A loss is what damage costs.
//   - A workspace is scratch memory of one worker, reused between jobs.
package components
