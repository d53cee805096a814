package tiff

import (
	"bytes"
	"encoding/binary"

	"tileserver/decode/webp"
	"tileserver/raster"
)

// webp is the stream, if it is a picture of the block's size that shows as transparent
// what the image has so, and holds nothing else that may change what is shown; or nil.
// What lies behind it is left out.
func (s *storedBlock) webp() []byte {
	const alpha = 3
	bands := s.image.info.Bands
	h, err := webp.ReadHeader(s.stream)
	file, plain := plainWebP(s.stream, h)
	switch {
	case err != nil || !plain || h.Width != s.rect.Width() || h.Height != s.rect.Height():
		return nil
	case h.HasAlpha && (len(bands) <= alpha || bands[alpha].Color != raster.Alpha || s.image.info.Premultiplied):
		return nil
	}
	return bytes.Clone(file) // what was read holds more than that
}

// plainWebP is the file that a stream begins with, if it is one that all decoders
// agree on: a picture alone, or one behind an extended header that says of it what is
// true. There is no profile of colours, no way up, nothing that moves and nothing
// behind the picture.
func plainWebP(stream []byte, h webp.Header) (file []byte, ok bool) {
	const riffBytes, sizeAt, chunksAt = 8, 4, 12
	if len(stream) < chunksAt {
		return nil, false
	}
	size := uint64(binary.LittleEndian.Uint32(stream[sizeAt:])) + riffBytes
	if size < chunksAt || size > uint64(len(stream)) {
		return nil, false
	}
	file = stream[:size]
	name, body, rest := nextChunk(file[chunksAt:])
	if name == "VP8X" {
		if !isTrueExtension(body, h) {
			return nil, false
		}
		name, _, rest = nextChunk(rest)
		if name == "ALPH" && !h.Lossless {
			name, _, rest = nextChunk(rest)
		}
	}
	return file, (name == "VP8 " || name == "VP8L") && len(rest) == 0
}

// nextChunk splits the first chunk off some, and the byte that fills it up; one that
// is cut off has no name.
func nextChunk(chunks []byte) (name string, body, rest []byte) {
	const headerBytes, sizeAt = 8, 4
	if len(chunks) < headerBytes {
		return "", nil, nil
	}
	size := uint64(binary.LittleEndian.Uint32(chunks[sizeAt:]))
	name, body = string(chunks[:sizeAt]), chunks[headerBytes:]
	if padded := size + size&1; padded <= uint64(len(body)) {
		return name, body[:size], body[padded:]
	}
	return "", nil, nil
}

// isTrueExtension tells whether an extended header has a canvas of the picture's size,
// and no flag but that of its opacity: those who decode go by the flag, or by the
// picture.
func isTrueExtension(body []byte, h webp.Header) bool {
	const alphaFlag, canvasAt, bodyBytes = 1 << 4, 4, 10
	if len(body) != bodyBytes {
		return false
	}
	flags := byte(0)
	if h.HasAlpha {
		flags = alphaFlag
	}
	canvas := body[canvasAt:]
	width := 1 + int(canvas[0]) + int(binary.LittleEndian.Uint16(canvas[1:]))<<8
	height := 1 + int(binary.LittleEndian.Uint16(canvas[3:])) + int(canvas[5])<<16
	return body[0] == flags && width == h.Width && height == h.Height
}
