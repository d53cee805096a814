package display

import (
	"errors"
	"fmt"
)

// ErrUnknownFormat is in the chain of the errors about image formats that there are not.
var ErrUnknownFormat = errors.New("unknown image format")

// ImageFormat is a kind of file that a picture can become.
type ImageFormat uint8

// The image formats. PNG loses nothing; JPEG has no transparency.
const (
	PNG ImageFormat = iota
	JPEG
	WebP
)

// ParseFormat reads a name or a file's extension: png, jpg, jpeg or webp.
func ParseFormat(name string) (ImageFormat, error) {
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
func (f ImageFormat) MIME() string {
	switch f {
	case JPEG:
		return "image/jpeg"
	case WebP:
		return "image/webp"
	}
	return "image/png"
}

// Extension is the end of the names of such files, without the dot.
func (f ImageFormat) Extension() string {
	switch f {
	case JPEG:
		return "jpg"
	case WebP:
		return "webp"
	}
	return "png"
}

// String is the extension.
func (f ImageFormat) String() string { return f.Extension() }

// HasTransparency tells whether a file of the format shows what lies behind it.
func (f ImageFormat) HasTransparency() bool { return f != JPEG }
