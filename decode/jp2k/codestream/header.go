package codestream

// Header is the main header of a codestream: what is said of all tiles. It is shared and never written.
type Header struct {
	Image      Rect        // on the reference grid
	FirstTile  Rect        // on the reference grid, not cut off at the image: the grid of tiles begins with it
	Components []Component // at least one

	// Profile is what the codestream claims of itself (Rsiz).
	Profile uint16

	// Coding is how tiles are coded that do not say otherwise; where components differ, it is the first.
	Coding Coding

	// HighThroughput says that the block coding of Part 15 is announced (CAP).
	HighThroughput bool

	// Comments are those that are text, as they stand.
	Comments []string

	PartTable     bool // TLM: where tile-parts lie can be known without visiting each
	PacketTable   bool // PLM: lengths of packets in the main header
	PackedHeaders bool // PPM: packet headers in the main header

	// Length is where the first tile-part begins, or the codestream ends if there is none.
	Length int64

	limits     Limits
	parameters parameters
	table      partTable
	packed     series // PPM
	lengths    series // PLM
}

// Component is a component of the image, as the main header describes it.
type Component struct {
	Bits   int // of a sample, 1 to 38
	Signed bool
	DX, DY int // of the reference grid to a sample, 1 to 255
}

// Coding is how tiles are coded.
type Coding struct {
	Order                      Order
	Layers                     int
	Levels                     int  // of the wavelet: one less than there are resolutions
	BlockWidth, BlockHeight    int  // of code-blocks at most, in coefficients
	Precincts                  bool // that are smaller than 32768 samples
	Reversible                 bool // the 5-3 wavelet, and not the 9-7
	Style                      Style
	SOP, EPH                   bool
	MultipleComponentTransform bool
}
