package codestream

import "fmt"

// Rect is a rectangle of a grid; X1 and Y1 are just outside.
type Rect struct{ X0, Y0, X1, Y1 int }

// String is the corners.
func (r Rect) String() string { return fmt.Sprintf("%d,%d to %d,%d", r.X0, r.Y0, r.X1, r.Y1) }

// Width is the number of columns in r, or 0.
func (r Rect) Width() int { return max(r.X1-r.X0, 0) }

// Height is the number of rows in r, or 0.
func (r Rect) Height() int { return max(r.Y1-r.Y0, 0) }

// Empty tells whether nothing is in r.
func (r Rect) Empty() bool { return r.X1 <= r.X0 || r.Y1 <= r.Y0 }

// Intersect is the part that r and o share.
func (r Rect) Intersect(o Rect) Rect {
	return Rect{max(r.X0, o.X0), max(r.Y0, o.Y0), min(r.X1, o.X1), min(r.Y1, o.Y1)}
}

// Tile is what the headers say of one tile: everything but its packets. It is shared and
// never written.
type Tile struct {
	Number     int
	Rect       Rect // on the reference grid
	Components []TileComponent

	Layers       int
	Progressions []Progression // one behind the other
	SOP, EPH     bool          // markers that may stand before a packet, and that end its header

	// MultipleComponentTransform says that the first three components were made of others:
	// reversibly, if they are.
	MultipleComponentTransform bool

	// Parts is where the packets lie, in their order.
	Parts []TilePart

	// PackedHeaders are the headers of all packets, one behind the other, where these do
	// not stand before their bodies (PPM, PPT). Else it is nil.
	PackedHeaders []byte

	// PacketLengths are the bytes of all packets in their order (PLT, PLM), header (where not packed) and
	// body together. It is nil where not every part has them, or one is missing.
	PacketLengths []uint32

	// Damage is what of the tile's parts and their headers was unsound and is left out, or nil.
	Damage error
}

// TilePart is a run of packets in the codestream.
type TilePart struct {
	Offset, Length int64

	// AfterGap says that parts are missing before this one: its packets do not follow those before it.
	AfterGap bool
}

// Progression is an order of packets, of some of them.
type Progression struct {
	Order                          Order
	FirstResolution, EndResolution int // End is just outside
	FirstComponent, EndComponent   int
	EndLayer                       int
}

// Order is one of the five orders in which packets may follow each other.
type Order uint8

// The orders, by the letters of what varies slowest first: layer, resolution, component, position.
const (
	LRCP Order = iota
	RLCP
	RPCL
	PCRL
	CPRL
)

// TileComponent is one component of a tile.
type TileComponent struct {
	Rect        Rect // in samples of the component
	DX, DY      int  // of the reference grid to a sample
	Reversible  bool // the 5-3 wavelet, and not the 9-7
	Style       Style
	ROIShift    int          // by how many bits the region of interest was lifted
	Resolutions []Resolution // from the coarsest; one more than the wavelet's levels
}

// Style is how code-blocks are coded: the bits of the standard.
type Style uint8

// The bits of a Style.
const (
	Bypass           Style = 1 << iota // raw bits in the lower bit-planes
	ResetContexts                      // after each pass
	TerminateAll                       // each pass is a codeword of its own
	VerticallyCausal                   // contexts know nothing of the stripe below
	PredictableTermination
	SegmentationSymbols // at the end of each cleanup pass
	HT                  // blocks may be of Part 15
	HTMixed             // and with HT, others may be of Part 1
)

// Resolution is one resolution of a tile's component.
type Resolution struct {
	Rect Rect // in samples of this resolution

	// Precincts have sizes that are powers of two, in samples of this resolution, in a grid that begins at 0,0.
	PrecinctWidthLog2, PrecinctHeightLog2 int
	PrecinctColumns, PrecinctRows         int // that touch Rect; 0 where that is empty

	Bands []Band // LL alone in the coarsest resolution, else HL, LH and HH
}

// Orientation is which of the four parts of a wavelet's level a band is.
type Orientation uint8

// The orientations: the first letter is of the horizontal filter, low or high.
const (
	LL Orientation = iota
	HL
	LH
	HH
)

// Band is one subband of a resolution.
type Band struct {
	Orientation Orientation
	Rect        Rect // in samples of the band

	// Code-blocks have sizes that are powers of two, in a grid that begins at 0,0, and are cut off at Rect. None lies
	// in more than one precinct.
	BlockWidthLog2, BlockHeightLog2 int

	// BitPlanes is how many of them magnitudes have at most, those that are not coded too (the standard's Mb).
	BitPlanes int

	// Step is what a magnitude of 1 stands for; 1 where the wavelet is reversible. It is the standard's, for filters that
	// keep a constant as it is when they are low-pass, and double an alternation when they are high-pass.
	Step float32
}

// BlockColumns and BlockRows are the size of the grid of code-blocks that touch the band.
func (b *Band) BlockColumns() int { return spanned(b.Rect.X0, b.Rect.X1, b.BlockWidthLog2) }

// BlockRows is the height of the grid.
func (b *Band) BlockRows() int { return spanned(b.Rect.Y0, b.Rect.Y1, b.BlockHeightLog2) }

// spanned is how many cells of a grid touch what lies between two places.
func spanned(from, to, cellLog2 int) int {
	if to <= from {
		return 0
	}
	return (to-1)>>cellLog2 - from>>cellLog2 + 1
}

// Block is the rectangle of a code-block in samples of the band. Columns and rows count from the first block
// that touches the band.
func (b *Band) Block(column, row int) Rect {
	x := (b.Rect.X0>>b.BlockWidthLog2 + column) << b.BlockWidthLog2
	y := (b.Rect.Y0>>b.BlockHeightLog2 + row) << b.BlockHeightLog2
	return Rect{x, y, x + 1<<b.BlockWidthLog2, y + 1<<b.BlockHeightLog2}.Intersect(b.Rect)
}
