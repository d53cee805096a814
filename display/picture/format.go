package picture

import (
	"errors"

	jpeg "tileserver/codec/jpeg/encoder"
	"tileserver/codec/png"
	webp "tileserver/codec/webp/encoder"
)

// ErrUnknownFormat matches errors about unsupported image formats.
var ErrUnknownFormat = errors.New("unknown image format")

// FileFormat is a file format for pictures.
type FileFormat uint8

// The file formats. PNG is lossless; JPEG has no transparency.
const (
	PNG FileFormat = iota
	JPEG
	WebP
)

// MIME returns the media type of f.
func (f FileFormat) MIME() string {
	switch f {
	case JPEG:
		return "image/jpeg"
	case WebP:
		return "image/webp"
	}
	return "image/png"
}

// Extension returns the file extension without the dot.
func (f FileFormat) Extension() string {
	switch f {
	case JPEG:
		return "jpg"
	case WebP:
		return "webp"
	}
	return "png"
}

// String returns the extension.
func (f FileFormat) String() string { return f.Extension() }

// MaxSide returns the maximum width and height of a picture, in pixels.
func (f FileFormat) MaxSide() int {
	switch f {
	case JPEG:
		return jpeg.MaxSide
	case WebP:
		return webp.MaxSide
	}
	return png.MaxSide
}
