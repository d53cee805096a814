package vp8

// Kinds of blocks. Each kind has its own coefficient probabilities.
const (
	LumaACBlock = iota
	LumaDCBlock
	ChromaBlock
	LumaFullBlock
)

// Bands maps the index of a coefficient to its band. It has an unused extra entry for index 16.
var Bands = [17]uint8{0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0}

// Zigzag maps the coding order of a coefficient to its index in the block.
var Zigzag = [16]uint8{0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15}

// LargeValueBits lists the bit probabilities for values from 11 on, in four ranges. Each list ends
// with a zero.
var LargeValueBits = [4][12]uint8{
	{173, 148, 140},
	{176, 155, 140, 135},
	{180, 157, 141, 134, 130},
	{254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129},
}
