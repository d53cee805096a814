package codestream

import "tileserver/decode/jp2k/wavelet"

// Tile is the content of a tile's headers. It is immutable and shared.
type Tile struct {
	Number     int
	Rect       wavelet.Rect // on the reference grid
	Components []TileComponent

	Layers       int
	Progressions []Progression // in their order
	SOP, EPH     bool          // markers before packets (optional), and at the end of packet headers

	// MultipleComponentTransform is set if the first three components were transformed together.
	// The transform is reversible if they are.
	MultipleComponentTransform bool

	// Parts locates the packets, in order.
	Parts []TilePart

	// PackedHeaders is the headers of all packets, concatenated, if they are apart from their
	// bodies (PPM, PPT). Otherwise it is nil.
	PackedHeaders []byte

	// PacketLengths is the bytes of all packets in order (PLT, PLM): body and header, unless the
	// headers are packed. It is nil unless all parts exist and have it.
	PacketLengths []uint32

	// Damage is the first damage in the tile's parts and headers, or nil. What is damaged is
	// omitted.
	Damage error
}

// TilePart is a range of packets in the codestream.
type TilePart struct {
	Offset, Length int64

	// AfterGap is set if parts before this one are missing: its packets do not follow those before.
	AfterGap bool
}

// Progression is an order of some of the packets.
type Progression struct {
	Order                          Order
	FirstResolution, EndResolution int // End is exclusive
	FirstComponent, EndComponent   int
	EndLayer                       int
}

// Order is one of the five orders of packets.
type Order uint8

// The orders. The letters name what varies, slowest first: layer, resolution, component, position.
const (
	LRCP Order = iota
	RLCP
	RPCL
	PCRL
	CPRL
)

// TileComponent is one component of a tile.
type TileComponent struct {
	Rect        wavelet.Rect // in samples of the component
	DX, DY      int          // points of the reference grid per sample
	Reversible  bool         // 5-3 wavelet; otherwise 9-7
	Style       Style
	ROIShift    int          // bits by which the region of interest is shifted up
	Resolutions []Resolution // from the coarsest; one more than levels
}

// Style is the coding style of code-blocks, with the bits of the standard.
type Style uint8

// The bits of a Style.
const (
	Bypass           Style = 1 << iota // raw bits in the lower bit-planes
	ResetContexts                      // reset after each pass
	TerminateAll                       // end the codeword after each pass
	VerticallyCausal                   // contexts ignore the stripe below
	PredictableTermination
	SegmentationSymbols // written after each cleanup pass
	HT                  // blocks may be of Part 15
	HTMixed             // with HT, others may be of Part 1
)

// Resolution is one resolution of a tile's component.
type Resolution struct {
	Rect wavelet.Rect // in samples of this resolution

	// Precincts have powers of two as sizes, in samples of this resolution. Their grid begins at
	// 0,0.
	PrecinctWidthLog2, PrecinctHeightLog2 int
	PrecinctColumns, PrecinctRows         int // that touch Rect; 0 if it is empty

	Bands []Band // LL in the coarsest resolution, else HL, LH and HH
}

// Band is one subband of a resolution.
type Band struct {
	Orientation wavelet.Orientation
	Rect        wavelet.Rect // in samples of the band

	// Code-blocks have powers of two as sizes. Their grid begins at 0,0, and they are clipped to
	// Rect. Each lies in one precinct.
	BlockWidthLog2, BlockHeightLog2 int

	// BitPlanes is the maximum number of bit-planes of magnitudes, coded or not (Mb of the
	// standard).
	BitPlanes int

	// Step is the value of magnitude 1; it is 1 for the reversible wavelet. It is normalized as in
	// the standard: low-pass filters preserve a constant, and high-pass filters double an
	// alternating signal.
	Step float32
}

// BlockColumns returns the number of columns of code-blocks that touch the band.
func (b *Band) BlockColumns() int { return cellCount(b.Rect.X0, b.Rect.X1, b.BlockWidthLog2) }

// BlockRows returns the number of rows of code-blocks that touch the band.
func (b *Band) BlockRows() int { return cellCount(b.Rect.Y0, b.Rect.Y1, b.BlockHeightLog2) }

// cellCount returns the number of cells of a grid that touch the range between two positions.
func cellCount(from, to, cellLog2 int) int {
	if to <= from {
		return 0
	}
	return (to-1)>>cellLog2 - from>>cellLog2 + 1
}

// Block returns the rectangle of a code-block in samples of the band. Columns and rows count from
// the first code-block that touches the band.
func (b *Band) Block(column, row int) wavelet.Rect {
	x := (b.Rect.X0>>b.BlockWidthLog2 + column) << b.BlockWidthLog2
	y := (b.Rect.Y0>>b.BlockHeightLog2 + row) << b.BlockHeightLog2
	return wavelet.Rect{X0: x, Y0: y, X1: x + 1<<b.BlockWidthLog2, Y1: y + 1<<b.BlockHeightLog2}.Intersect(b.Rect)
}
