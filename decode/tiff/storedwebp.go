package tiff

import (
	"encoding/binary"

	"tileserver/decode/webp"
	"tileserver/raster"
)

// showsWebP tells whether the stream is a picture of the block's size that shows as
// transparent what the image has so, and holds nothing else that may change what is
// shown.
func (s *storedBlock) showsWebP() bool {
	h, err := webp.ReadHeader(s.stream)
	if err != nil || h.Width != s.rect.Width() || h.Height != s.rect.Height() || !isPlainWebP(s.stream, h) {
		return false
	}
	const alpha = 3
	bands := s.image.info.Bands
	return !h.HasAlpha || len(bands) > alpha && bands[alpha].Color == raster.Alpha && !s.image.info.Premultiplied
}

// isPlainWebP tells whether a file has no profile of colours, no way up and the like,
// and a canvas of its picture's size.
func isPlainWebP(file []byte, h webp.Header) bool {
	const (
		nameAt, flagsAt, canvasAt, canvasEnd = 12, 20, 24, 30
		alphaFlag                            = 1 << 4
	)
	if len(file) < canvasEnd {
		return false
	}
	if string(file[nameAt:nameAt+4]) != "VP8X" {
		return string(file[nameAt:nameAt+3]) == "VP8"
	}
	canvas := file[canvasAt:canvasEnd]
	width := 1 + int(canvas[0]) + int(binary.LittleEndian.Uint16(canvas[1:]))<<8
	height := 1 + int(binary.LittleEndian.Uint16(canvas[3:])) + int(canvas[5])<<16
	return file[flagsAt]&^alphaFlag == 0 && width == h.Width && height == h.Height
}
