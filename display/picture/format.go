package picture

import (
	"errors"
	"fmt"

	"tileserver/display/jpeg"
	"tileserver/display/png"
	"tileserver/display/webp"
)

// ErrUnknownFormat is in the chain of the errors about image formats that there are not.
var ErrUnknownFormat = errors.New("unknown image format")

// FileFormat is a kind of file that a picture can become.
type FileFormat uint8

// The image formats. PNG loses nothing; JPEG has no transparency.
const (
	PNG FileFormat = iota
	JPEG
	WebP
)

// ParseFormat reads a name or a file's extension: png, jpg, jpeg or webp.
func ParseFormat(name string) (FileFormat, error) {
	switch name {
	case "png":
		return PNG, nil
	case "jpg", "jpeg":
		return JPEG, nil
	case "webp":
		return WebP, nil
	}
	return PNG, fmt.Errorf("%w %q; there are png, jpg and webp", ErrUnknownFormat, name)
}

// MIME is the media type of f.
func (f FileFormat) MIME() string {
	switch f {
	case JPEG:
		return "image/jpeg"
	case WebP:
		return "image/webp"
	}
	return "image/png"
}

// Extension is the end of the names of such files, without the dot.
func (f FileFormat) Extension() string {
	switch f {
	case JPEG:
		return "jpg"
	case WebP:
		return "webp"
	}
	return "png"
}

// String is the extension.
func (f FileFormat) String() string { return f.Extension() }

// MaxSide is how many pixels the width and the height of a picture may be.
func (f FileFormat) MaxSide() int {
	switch f {
	case JPEG:
		return jpeg.MaxSide
	case WebP:
		return webp.MaxSide
	}
	return png.MaxSide
}

// HasTransparency tells whether a file of the format shows what lies behind it.
func (f FileFormat) HasTransparency() bool { return f != JPEG }
