package png

import (
	"encoding/binary"
	"hash/crc32"
)

const signature = "\x89PNG\r\n\x1a\n"

// Colour types of the IHDR chunk.
const (
	colourGray      = 0
	colourRGB       = 2
	colourPalette   = 3
	colourGrayAlpha = 4
	colourRGBA      = 6
)

func (f Format) colourType() byte {
	switch f {
	case GrayAlpha:
		return colourGrayAlpha
	case RGB:
		return colourRGB
	case RGBA:
		return colourRGBA
	case Paletted:
		return colourPalette
	}
	return colourGray
}

// appendStart appends the signature and the header chunk.
func appendStart(out []byte, width, height int, bitDepth, colourType byte) []byte {
	out = append(out, signature...)
	start := len(out)
	out = append(out, 0, 0, 0, 13, 'I', 'H', 'D', 'R')
	out = binary.BigEndian.AppendUint32(out, uint32(width))
	out = binary.BigEndian.AppendUint32(out, uint32(height))
	out = append(out, bitDepth, colourType, 0, 0, 0) // deflate, the five filters, not interlaced
	return appendChecksum(out, start)
}

// appendPalette appends the colours, and their alphas as far as there are any that are not opaque.
func appendPalette(out []byte, palette [][4]uint8) []byte {
	start := len(out)
	out = binary.BigEndian.AppendUint32(out, uint32(3*len(palette)))
	out = append(out, "PLTE"...)
	alphas := 0
	for i, colour := range palette {
		out = append(out, colour[:3]...)
		if colour[3] != 255 {
			alphas = i + 1
		}
	}
	out = appendChecksum(out, start)
	if alphas == 0 {
		return out
	}
	start = len(out)
	out = binary.BigEndian.AppendUint32(out, uint32(alphas))
	out = append(out, "tRNS"...)
	for _, colour := range palette[:alphas] {
		out = append(out, colour[3])
	}
	return appendChecksum(out, start)
}

func appendEnd(out []byte) []byte {
	start := len(out)
	return appendChecksum(append(out, "\x00\x00\x00\x00IEND"...), start)
}

// appendChecksum ends the chunk that begins at start with its CRC, which leaves out the length.
func appendChecksum(out []byte, start int) []byte {
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start+4:]))
}
