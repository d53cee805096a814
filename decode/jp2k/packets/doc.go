// Package packets locates the bytes of each code-block of a tile: it follows the order of the
// tile's packets, parses their headers and stores the result in a compact index. Package components
// calls it for the tiles that a request needs. The package must never know how code-blocks are
// decoded or what they are used for.
//
// Scan parses all headers of a tile, one after the other, and returns an Index of the whole tile.
// If the tile gives the lengths of its packets, Locate finds the packets of each precinct at once,
// and PacketMap.Precinct parses only the precincts that are needed. An Index and a Precinct are
// both Blocks. They take 12 bytes per code-block with one layer, and about 40 to 100 with twelve.
// On disk, an index takes 4 to 6 bytes per code-block with one layer.
//
// Words:
//
//   - A packet is what one layer adds to one precinct: a header of bits, and a body of bytes.
//   - A precinct is a rectangle of code-blocks in each band of one resolution.
//   - A contribution is what a packet holds of one code-block. Its bytes are one chunk of the
//     packet's body.
//   - A segment is a codeword of the entropy coder. It covers one or more passes.
//   - A piece is the part of a chunk that belongs to one segment. Pieces of several layers make
//     up a segment.
//   - The run is the concatenated bytes of a tile's tile-parts. Positions in the package are
//     offsets in the run.
//   - A record is the index of one code-block, in 12 bytes. If that does not suffice, the rest is
//     in an entry.
//   - A note is one contribution in the log that a recorder writes during a scan; the notes of a
//     code-block become its entry.
//   - A level is one resolution of one component.
//   - A visit is one step of a progression; it yields a packet, or nothing if the packet came
//     before (an idle visit).
package packets
