package codestream

import "tileserver/decode/jp2k/wavelet"

// Header is the main header of a codestream. It is immutable and shared.
type Header struct {
	Image      wavelet.Rect // on the reference grid
	FirstTile  wavelet.Rect // on the reference grid, not clipped; starts the grid of tiles
	Components []Component  // at least one

	// Profile is the profile that the codestream claims (Rsiz).
	Profile uint16

	// Coding is the coding of tiles without their own parameters, and of the first component.
	Coding Coding

	// HighThroughput is set if the block coding of Part 15 is announced (CAP).
	HighThroughput bool

	// Comments are the text comments.
	Comments []string

	PartTable     bool // TLM: tile-parts can be located without visiting each
	PacketTable   bool // PLM: packet lengths are in the main header
	PackedHeaders bool // PPM: packet headers are in the main header

	// Length is the offset of the first tile-part, or of the end of the codestream.
	Length int64

	limits     Limits
	parameters parameters
	table      partTable
	packed     series // PPM
	lengths    series // PLM
}

// Component is a component of the image, as described in the main header.
type Component struct {
	Bits   int // of a sample, 1 to 38
	Signed bool
	DX, DY int // points of the reference grid per sample, 1 to 255
}

// Coding is the coding of tiles.
type Coding struct {
	Order                      Order
	Layers                     int
	Levels                     int  // of the wavelet; one less than the number of resolutions
	BlockWidth, BlockHeight    int  // maximum size of code-blocks, in coefficients
	Precincts                  bool // precincts are smaller than 32768 samples
	Reversible                 bool // 5-3 wavelet; otherwise 9-7
	Style                      Style
	SOP, EPH                   bool
	MultipleComponentTransform bool
}
