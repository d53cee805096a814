package png

import (
	"encoding/binary"
	"hash/crc32"
)

const signature = "\x89PNG\r\n\x1a\n"

// Color types of the IHDR chunk.
const (
	colorGray      = 0
	colorRGB       = 2
	colorPalette   = 3
	colorGrayAlpha = 4
	colorRGBA      = 6
)

// samplesOf returns the number of samples per pixel.
func samplesOf(colorType uint8) int {
	switch colorType {
	case colorGrayAlpha:
		return 2
	case colorRGB:
		return 3
	case colorRGBA:
		return 4
	}
	return 1
}

// appendStart appends the signature and the IHDR chunk.
func appendStart(out []byte, w *encoding) []byte {
	out = append(out, signature...)
	start := len(out)
	out = append(out, 0, 0, 0, 13, 'I', 'H', 'D', 'R')
	out = binary.BigEndian.AppendUint32(out, uint32(w.width))
	out = binary.BigEndian.AppendUint32(out, uint32(w.height))
	out = append(out, w.bitDepth, w.colorType, 0, 0, 0) // deflate, the five filters, not interlaced
	return appendChecksum(out, start)
}

// appendPalette appends the colors, and the alphas up to the last translucent color.
func appendPalette(out []byte, palette []indexedColor) []byte {
	start := len(out)
	out = binary.BigEndian.AppendUint32(out, uint32(3*len(palette)))
	out = append(out, "PLTE"...)
	alphas := 0
	for i, entry := range palette {
		rgba := entry.color.bytes()
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
	for _, entry := range palette[:alphas] {
		out = append(out, entry.color.bytes()[3])
	}
	return appendChecksum(out, start)
}

func appendEnd(out []byte) []byte {
	start := len(out)
	return appendChecksum(append(out, "\x00\x00\x00\x00IEND"...), start)
}

// appendChecksum appends the CRC of the chunk that begins at start. The CRC does not cover the
// length.
func appendChecksum(out []byte, start int) []byte {
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start+4:]))
}
