// Package codestreamtest writes codestreams for tests: headers from plain structs, with whatever is put between and
// behind them, sound or not. It knows nothing of packets; a body is bytes.
package codestreamtest

import (
	"encoding/binary"

	"tileserver/decode/jp2k/codestream"
)

// Header is a main header. With Image and Components alone it is that of a single tile, losslessly coded without levels.
type Header struct {
	Profile    uint16
	Image      codestream.Rect
	FirstTile  codestream.Rect // empty is the image
	Components []codestream.Component
	Coding     Coding
	Steps      Steps    // without exponents those of ReversibleSteps, for the depth of the first component
	Segments   [][]byte // more markers, behind SIZ, COD and QCD
}

// Coding is what COD and COC say. COC leaves out what is of all components.
type Coding struct {
	Order                      codestream.Order
	Layers                     int // 0 is 1
	SOP, EPH                   bool
	MultipleComponentTransform bool

	Levels                          int
	BlockWidthLog2, BlockHeightLog2 int // 0 is 6
	Style                           codestream.Style
	Irreversible                    bool
	Precincts                       []Precinct // of each resolution, from the coarsest; nil is as large as can be
}

// Precinct is the size of precincts.
type Precinct struct{ WidthLog2, HeightLog2 int }

// Steps is what QCD and QCC say.
type Steps struct {
	GuardBits int
	Style     int   // 0 none, 1 derived, 2 expounded
	Exponents []int // by band
	Mantissas []int // as many, or nil for zeros
}

// ReversibleSteps are those of a lossless codestream: each band has the exponents that its magnitudes need.
func ReversibleSteps(bits, levels int) Steps {
	s := Steps{GuardBits: 2, Exponents: []int{bits}}
	for range levels {
		s.Exponents = append(s.Exponents, bits+1, bits+1, bits+2)
	}
	return s
}

// TilePart is a tile-part.
type TilePart struct {
	Tile          int
	Number, Count int
	Segments      [][]byte // of its header
	Body          []byte
	Length        int  // that SOT claims; 0 is the truth
	Open          bool // SOT says 0, which is "to the end"
}

// Codestream is a whole one, with the marker at its end.
func Codestream(h Header, parts ...TilePart) []byte {
	data := h.Bytes()
	for _, part := range parts {
		data = append(data, part.Bytes()...)
	}
	return append(data, 0xFF, 0xD9)
}

// Bytes is the main header.
func (h Header) Bytes() []byte {
	data := []byte{0xFF, 0x4F}
	data = append(data, h.size()...)
	data = append(data, COD(h.Coding)...)
	steps := h.Steps
	if len(steps.Exponents) == 0 {
		steps = ReversibleSteps(h.Components[0].Bits, h.Coding.Levels)
	}
	data = append(data, QCD(steps)...)
	for _, segment := range h.Segments {
		data = append(data, segment...)
	}
	return data
}

// size is the SIZ marker.
func (h Header) size() []byte {
	tile := h.FirstTile
	if tile.Empty() {
		tile = h.Image
	}
	body := binary.BigEndian.AppendUint16(nil, h.Profile)
	for _, n := range []int{
		h.Image.X1, h.Image.Y1, h.Image.X0, h.Image.Y0, tile.Width(), tile.Height(), tile.X0, tile.Y0,
	} {
		body = binary.BigEndian.AppendUint32(body, uint32(n))
	}
	body = binary.BigEndian.AppendUint16(body, uint16(len(h.Components)))
	for _, c := range h.Components {
		depth := byte(c.Bits - 1)
		if c.Signed {
			depth |= 128
		}
		body = append(body, depth, byte(c.DX), byte(c.DY))
	}
	return Segment(0xFF51, body)
}

// Bytes is the tile-part with its markers.
func (p TilePart) Bytes() []byte {
	header := []byte{}
	for _, segment := range p.Segments {
		header = append(header, segment...)
	}
	header = append(header, 0xFF, 0x93)
	length := 12 + len(header) + len(p.Body)
	if p.Length != 0 {
		length = p.Length
	}
	if p.Open {
		length = 0
	}
	body := binary.BigEndian.AppendUint16(nil, uint16(p.Tile))
	body = binary.BigEndian.AppendUint32(body, uint32(length))
	body = append(body, byte(p.Number), byte(p.Count))
	return append(append(Segment(0xFF90, body), header...), p.Body...)
}
