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

// samplesOf returns the number of samples of a pixel.
func samplesOf(colourType uint8) int {
	switch colourType {
	case colourGrayAlpha:
		return 2
	case colourRGB:
		return 3
	case colourRGBA:
		return 4
	}
	return 1
}

// appendStart appends the signature and the header chunk.
func appendStart(out []byte, w *wire) []byte {
	out = append(out, signature...)
	start := len(out)
	out = append(out, 0, 0, 0, 13, 'I', 'H', 'D', 'R')
	out = binary.BigEndian.AppendUint32(out, uint32(w.width))
	out = binary.BigEndian.AppendUint32(out, uint32(w.height))
	out = append(out, w.bitDepth, w.colourType, 0, 0, 0) // deflate, the five filters, not interlaced
	return appendChecksum(out, start)
}

// appendPalette appends the colours, and the alphas of those that come first.
func appendPalette(out []byte, palette []numberedColour) []byte {
	start := len(out)
	out = binary.BigEndian.AppendUint32(out, uint32(3*len(palette)))
	out = append(out, "PLTE"...)
	alphas := 0
	for i, numbered := range palette {
		rgba := numbered.colour.bytes()
		out = append(out, rgba[:3]...)
		if rgba[3] != 255 {
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
	for _, numbered := range palette[:alphas] {
		out = append(out, numbered.colour.bytes()[3])
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
