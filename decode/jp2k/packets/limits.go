package packets

import "errors"

// ErrLimit says that a tile has more of something than it may have.
var ErrLimit = errors.New("packets: over the limit")

// Limits bound what a tile may have. They keep a small file from taking much memory or time. A zero field stands
// for its default.
type Limits struct {
	Blocks    int // code-blocks of a tile; one takes 12 bytes, or more where there are several layers
	Precincts int // of a tile; one takes up to 10 bytes while packets are read
	Packets   int // precincts times layers

	// NoteBytes are those of notes, some 14 for each layer of a code-block that has several, while packets are
	// read; nor are they more than some times the bytes of the tile. What comes when there are more is left out: six
	// bits of a header may ask for a note. Tiles that tell how long their packets are (PLT) need none.
	NoteBytes int
}

// DefaultLimits suit images of some gigapixels in one tile. Their notes are those of twelve layers of a gigapixel of three
// components: 3 x 2^30 samples in code-blocks of 2^12 are 786432, and 12 x 14 bytes of each are 132 million, where 2^27 are
// 134 million.
func DefaultLimits() Limits {
	return Limits{Blocks: 6 << 20, Precincts: 4 << 20, Packets: 1 << 26, NoteBytes: 1 << 27}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	orDefault(&l.Blocks, d.Blocks)
	orDefault(&l.Precincts, d.Precincts)
	orDefault(&l.Packets, d.Packets)
	orDefault(&l.NoteBytes, d.NoteBytes)
	return l
}

func orDefault(field *int, value int) {
	if *field <= 0 {
		*field = value
	}
}
