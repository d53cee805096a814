package packets

import "errors"

// ErrLimit reports a tile that exceeds a limit.
var ErrLimit = errors.New("packets: over the limit")

// Limits limit the memory and time that a small file may cost. A zero field means its default.
type Limits struct {
	Blocks    int // code-blocks of a tile; one takes 12 bytes, or more with several layers
	Precincts int // of a tile; one takes up to 10 bytes during a scan
	Packets   int // precincts times layers

	// NoteBytes limits the notes of a scan: some 14 bytes for each layer of a code-block with
	// several layers. Notes are also limited to a multiple of the tile's bytes. Beyond the limit
	// the scan ends with ErrTooMuchState. The second limit exists since six bits of a header may
	// need a note. Tiles with packet lengths (PLT) need no scan.
	NoteBytes int
}

// DefaultLimits returns limits for tiles of some gigapixels. NoteBytes suffices for twelve layers
// of a gigapixel with three components: 3 x 2^30 samples in code-blocks of 2^12 are 786432
// code-blocks, and 12 x 14 bytes for each are 132 million bytes. 2^27 is 134 million.
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
