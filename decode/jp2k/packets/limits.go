package packets

import "errors"

// ErrLimit says that a tile has more of something than it may have.
var ErrLimit = errors.New("packets: over the limit")

// Limits bound what a tile may have. They keep a small file from taking much memory or time.
type Limits struct {
	Blocks    int // code-blocks of a tile; one takes 12 bytes, or more where there are several layers
	Precincts int // of a tile; one takes up to 10 bytes while packets are read
	Packets   int // precincts times layers
}

// DefaultLimits suit images of some gigapixels in one tile.
func DefaultLimits() Limits {
	return Limits{Blocks: 6 << 20, Precincts: 4 << 20, Packets: 1 << 26}
}
