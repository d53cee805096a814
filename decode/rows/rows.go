// Package rows converts decompressed bytes to sample planes. It undoes differences, swaps and joins
// bytes, expands bits, and splits pixels into planes, at the speed of memory if possible. Decoders
// of containers call it. It knows neither images nor blocks nor compression.
package rows

// Word is an unsigned integer with the bits of one sample.
type Word interface {
	uint8 | uint16 | uint32 | uint64
}

// Cell is the memory of one sample: a word, or two words for a complex number.
type Cell interface {
	Word | ~[2]uint64
}
