// Package encoder encodes map tiles as WebP files, lossy or lossless, with alpha if there is any.
// It writes the container around the output of the packages lossy and lossless. Package
// display/picture calls it. It knows pixels and bytes only, and nothing about their source or the
// request.
package encoder

import (
	"errors"

	"tileserver/codec/webp/encoder/lossless"
	"tileserver/codec/webp/encoder/lossy"
)

// ErrImage is wrapped by every error about an invalid image description.
var ErrImage = errors.New("webp: invalid image")

const (
	// DefaultQuality is used for a quality of 0.
	DefaultQuality = 75

	// MaxSide is the maximum width and height in pixels. The header of a lossy picture has 14 bits
	// for each.
	MaxSide = 1<<14 - 1
)

// Encoder encodes pictures and reuses its memory. The zero value is ready to use. It is not safe
// for concurrent use; callers keep a pool of encoders.
type Encoder struct {
	lossy      lossy.Encoder
	lossless   lossless.Encoder
	alphaPlane []byte // alpha samples of a picture, row by row
	pixels     []byte // pixels of a picture converted to another format
	image      Image  // describes pixels
}
