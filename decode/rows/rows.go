// Package rows does what lies between the bytes that a codec gives and samples in planes: it undoes differences, puts
// bytes in order and together, widens bits and parts pixels into planes, at the speed of memory where it can. It must
// never know what an image, a block or a compression is.
package rows

// Word is an unsigned integer that holds the bits of one sample.
type Word interface {
	uint8 | uint16 | uint32 | uint64
}

// Cell is what one sample takes in memory: a word, or two of them for a complex number.
type Cell interface {
	Word | ~[2]uint64
}
