// Package jpeg holds what ITU-T T.81 says to the decoder and to the encoder of JPEG alike: markers,
// the order of coefficients and the typical Huffman tables. It also finds streams in data that hold
// several, and parts of a stream that can be decoded alone.
package jpeg

// A block has the coefficients of 8 x 8 samples.
const (
	BlockSide = 8
	BlockSize = BlockSide * BlockSide
)

// Zigzag maps the order of coefficients in a stream to their positions in a block, row by row. It
// follows the diagonals, alternately up and down. It must not be modified.
var Zigzag = [BlockSize]uint8{
	0, 1, 8, 16, 9, 2, 3, 10,
	17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34,
	27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36,
	29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46,
	53, 60, 61, 54, 47, 55, 62, 63,
}
