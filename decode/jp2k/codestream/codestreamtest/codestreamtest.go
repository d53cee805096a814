// Package codestreamtest writes codestreams for tests: headers from plain structs, with any bytes
// between and after them, sound or not. It does not know packets; a body is bytes.
package codestreamtest

import (
	"encoding/binary"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/wavelet"
)

// Header is a main header. With only Image and Components, it describes a single tile, coded
// losslessly without levels.
type Header struct {
	Profile    uint16
	Image      wavelet.Rect
	FirstTile  wavelet.Rect // empty means Image
	Components []codestream.Component
	Coding     Coding
	Steps      Steps    // without exponents, ReversibleSteps for the depth of the first component
	Segments   [][]byte // more markers, after SIZ, COD and QCD
}

// Coding is the content of COD and COC. COC omits the fields for all components.
type Coding struct {
	Order                      codestream.Order
	Layers                     int // 0 means 1
	SOP, EPH                   bool
	MultipleComponentTransform bool

	Levels                          int
	BlockWidthLog2, BlockHeightLog2 int // 0 means 6
	Style                           codestream.Style
	Irreversible                    bool
	Precincts                       []Precinct // by resolution, from the coarsest; nil means the maximum size
}

// Precinct is the size of precincts.
type Precinct struct{ WidthLog2, HeightLog2 int }

// Steps is the content of QCD and QCC.
type Steps struct {
	GuardBits int
	Style     int   // 0 none, 1 derived, 2 expounded
	Exponents []int // by band
	Mantissas []int // by band, or nil for zeros
}

// ReversibleSteps returns the steps of a lossless codestream: each band has the exponent that its
// magnitudes need.
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
	Length        int  // length in SOT; 0 means the true one
	Open          bool // length 0 in SOT, which means to the end
}

// Codestream returns a whole codestream with the marker at its end.
func Codestream(h Header, parts ...TilePart) []byte {
	data := h.Bytes()
	for _, part := range parts {
		data = append(data, part.Bytes()...)
	}
	return append(data, 0xFF, 0xD9)
}

// Bytes returns the main header.
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

// size returns the SIZ marker.
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

// Bytes returns the tile-part with its markers.
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
