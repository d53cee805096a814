package packets

// Blocks locates the code-blocks of a tile (an Index) or of one precinct (a Precinct).
// Implementations are immutable and need no lock.
type Blocks interface {
	// Block sets block to a code-block as of its first layers, and reuses the memory in block. It
	// returns false if these layers hold nothing of the code-block, or if the code-block is
	// unknown.
	Block(at Position, layers int, block *Block) bool

	// Damage returns the reason why packets could not be read, or nil. All results of Block are
	// sound.
	Damage() error

	// Broken reports whether packets of a precinct could not be read. Then its code-blocks lack
	// some or all of their stored data.
	Broken(at PrecinctPosition) bool

	// Size returns the memory in bytes.
	Size() int64
}

// AllLayers exceeds the number of layers of any tile.
const AllLayers = 1 << 16

// Position is the position of a code-block in a tile. Column and row count from the first
// code-block that touches the band, like those of codestream.Band.Block.
type Position struct{ Component, Resolution, Band, Column, Row int }

// Block gives the segments of a code-block and the location of their bytes.
type Block struct {
	// HT is set if the passes are those of Part 15. The first segment is one cleanup pass; at most
	// one more segment holds a SigProp pass, or a SigProp and a MagRef pass. Placeholder passes and
	// replaced sets are omitted; they count as missing bit-planes.
	HT bool

	MissingBitPlanes int // of the bit-planes of the band
	Passes           int
	Length           int       // of all chunks together
	Segments         []Segment // codewords, in order
	Chunks           []Range   // bytes, in order; their ends are unrelated to the ends of segments
}

// Segment is the passes and the bytes of one codeword.
type Segment struct{ Passes, Length int }

// Range is a range of bytes of the codestream.
type Range struct{ Offset, Length int64 }
