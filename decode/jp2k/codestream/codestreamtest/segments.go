package codestreamtest

import (
	"encoding/binary"

	"tileserver/decode/jp2k/codestream"
)

// Segment returns a marker with its length and body.
func Segment(marker uint16, body []byte) []byte {
	s := binary.BigEndian.AppendUint16(nil, marker)
	s = binary.BigEndian.AppendUint16(s, uint16(2+len(body)))
	return append(s, body...)
}

// COD returns the coding of all components.
func COD(c Coding) []byte {
	flags := c.flags()
	if c.SOP {
		flags |= 2
	}
	if c.EPH {
		flags |= 4
	}
	body := append([]byte{flags, byte(c.Order)}, two(max(c.Layers, 1))...)
	transform := byte(0)
	if c.MultipleComponentTransform {
		transform = 1
	}
	return Segment(0xFF52, append(append(body, transform), c.component()...))
}

// COC returns the coding of one component of an image with the given number of components.
func COC(component, components int, c Coding) []byte {
	body := append(number(component, components), c.flags())
	return Segment(0xFF53, append(body, c.component()...))
}

func (c Coding) flags() byte {
	if c.Precincts != nil {
		return 1
	}
	return 0
}

// component returns the fields that COD and COC share.
func (c Coding) component() []byte {
	width, height := c.BlockWidthLog2, c.BlockHeightLog2
	if width == 0 {
		width = 6
	}
	if height == 0 {
		height = 6
	}
	wavelet := byte(1)
	if c.Irreversible {
		wavelet = 0
	}
	body := []byte{byte(c.Levels), byte(width - 2), byte(height - 2), byte(c.Style), wavelet}
	for _, p := range c.Precincts {
		body = append(body, byte(p.HeightLog2<<4|p.WidthLog2))
	}
	return body
}

// QCD returns the quantization of all components.
func QCD(s Steps) []byte { return Segment(0xFF5C, s.body()) }

// QCC returns the quantization of one component of an image with the given number of components.
func QCC(component, components int, s Steps) []byte {
	return Segment(0xFF5D, append(number(component, components), s.body()...))
}

func (s Steps) body() []byte {
	body := []byte{byte(s.GuardBits<<5 | s.Style)}
	for i, exponent := range s.Exponents {
		if s.Style == 0 {
			body = append(body, byte(exponent<<3))
			continue
		}
		mantissa := 0
		if s.Mantissas != nil {
			mantissa = s.Mantissas[i]
		}
		body = append(body, two(exponent<<11|mantissa)...)
	}
	return body
}

// RGN returns the shift of a component's region of interest.
func RGN(component, components, shift int) []byte {
	return Segment(0xFF5E, append(number(component, components), 0, byte(shift)))
}

// POC returns the progressions of an image with the given number of components.
func POC(components int, progressions ...codestream.Progression) []byte {
	var body []byte
	for _, p := range progressions {
		body = append(body, byte(p.FirstResolution))
		body = append(body, number(p.FirstComponent, components)...)
		body = append(body, two(p.EndLayer)...)
		body = append(body, byte(p.EndResolution))
		body = append(body, number(p.EndComponent, components)...)
		body = append(body, byte(p.Order))
	}
	return Segment(0xFF5F, body)
}

// TLM returns lengths of tile-parts with their tiles.
func TLM(index int, parts ...TilePart) []byte {
	body := []byte{byte(index), 0x60}
	for _, p := range parts {
		body = append(body, two(p.Tile)...)
		body = binary.BigEndian.AppendUint32(body, uint32(len(p.Bytes())))
	}
	return Segment(0xFF55, body)
}

// PPM returns a part of the image's packed packet headers.
func PPM(index int, part []byte) []byte { return Segment(0xFF60, append([]byte{byte(index)}, part...)) }

// PPT returns a part of a tile-part's packed packet headers.
func PPT(index int, part []byte) []byte { return Segment(0xFF61, append([]byte{byte(index)}, part...)) }

// PLM returns a part of the image's packet lengths.
func PLM(index int, part []byte) []byte { return Segment(0xFF57, append([]byte{byte(index)}, part...)) }

// PLT returns a part of a tile-part's packet lengths.
func PLT(index int, part []byte) []byte { return Segment(0xFF58, append([]byte{byte(index)}, part...)) }

// Lengths returns packet lengths as PLT and PLM write them.
func Lengths(lengths ...int) []byte {
	var body []byte
	for _, length := range lengths {
		digits := []byte{byte(length & 127)}
		for length >>= 7; length > 0; length >>= 7 {
			digits = append([]byte{byte(length&127) | 128}, digits...)
		}
		body = append(body, digits...)
	}
	return body
}

// Counted returns a piece of PPM with its length before it.
func Counted(piece []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(piece))), piece...)
}

func two(n int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(n)) }

// number returns the number of a component, in the bytes that the number of components requires.
func number(component, components int) []byte {
	if components > 256 {
		return two(component)
	}
	return []byte{byte(component)}
}
