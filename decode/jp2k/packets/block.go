package packets

// Blocks tells of code-blocks: of all in a tile (an Index), or of those in one precinct (a Precinct). They are never
// written, and so are shared without a lock.
type Blocks interface {
	// Block tells of a code-block as the first so many layers have it, and reuses the memory of the value that it
	// fills. It returns false where these layers have nothing of the block, or it is not among these.
	Block(at Position, layers int, block *Block) bool

	// Damage is what kept packets from being read, or nil. All that Block tells is sound.
	Damage() error

	// Broken reports whether packets of a precinct could not be read, so that its code-blocks lack
	// all or a part of what is stored of them.
	Broken(at PrecinctPosition) bool

	// Size is how many bytes of memory are held.
	Size() int64
}

// AllLayers is more layers than a tile can have.
const AllLayers = 1 << 16

// Position is where a code-block is in a tile: column and row count from the first block that touches the band, as those of
// codestream.Band.Block do.
type Position struct{ Component, Resolution, Band, Column, Row int }

// Block is where the bytes of a code-block are, and what they are.
type Block struct {
	// HT says that the passes are those of Part 15: one cleanup pass, which is the first segment, and
	// then at most one segment of a SigProp pass, or that and a MagRef pass. Placeholder passes, and sets of passes that a
	// later set replaces, are left out, and count as bit-planes that are missing.
	HT bool

	MissingBitPlanes int // of those that the band has
	Passes           int
	Length           int       // of all chunks together
	Segments         []Segment // codewords in their order
	Chunks           []Range   // bytes in their order; where they end tells nothing of where segments end
}

// Segment is one codeword: what so many passes are coded in.
type Segment struct{ Passes, Length int }

// Range is a run of bytes of the codestream.
type Range struct{ Offset, Length int64 }
