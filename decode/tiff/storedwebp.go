package tiff

import (
	"bytes"
	"encoding/binary"

	webp "tileserver/codec/webp/decoder"
	"tileserver/raster"
)

// webp returns the stream, or nil if a browser might not show what the image means. The picture
// must have the block's size, have alpha only if the image has, and contain nothing else that
// changes its looks. Bytes after the picture are dropped.
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
	return bytes.Clone(file) // the buffer that was read is larger
}

// plainWebP returns the WebP file at the start of a stream, if all decoders agree on its meaning.
// It must be a single picture, or an extended header that describes it correctly and then the
// picture. It must have no color profile, orientation or animation, and nothing after the picture.
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

// nextChunk splits off the first RIFF chunk and its padding byte. A chunk that is cut off has an
// empty name.
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

// isTrueExtension reports whether an extended header has the picture's size and no flag but the
// correct alpha flag. Some decoders trust the flag, others the picture.
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
