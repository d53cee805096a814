// Package packets finds the bytes of each code-block of a tile: it follows the order of the tile's packets, reads
// their headers and keeps what they say in a compact index. It knows nothing of how code-blocks are decoded, nor of
// what is done with them.
//
// A packet is what one layer adds to one precinct: a header of bits, and a body of bytes, in which each code-block that
// takes part has one chunk. A chunk is cut into pieces by passes, and pieces of several layers make up a segment, a
// codeword of the entropy coder. A precinct is a rectangle of code-blocks in each band of one resolution.
//
// There are two ways in. Walk reads all headers of a tile, one behind the other, and gives an Index of all of it. Where the
// tile says how long its packets are, Locate gives at once where those of each precinct lie, and Located.Precinct reads those
// that are wanted. An Index and a Precinct are both Blocks. They take 12 bytes for each code-block where there is one layer,
// and about 40 to 100 where there are twelve; kept on disk, an index takes 4 to 6 for one layer.
package packets
