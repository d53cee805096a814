// Package webp writes map tiles as WebP files, lossy or lossless, with opacity where there is any. It is the file around
// what its two encoders make; it knows pixels and bytes only, never where they come from or who asked for them.
package webp

import (
	"errors"

	"tileserver/display/webp/lossless"
	"tileserver/display/webp/lossy"
)

// ErrImage is in the chain of every error about an image that cannot be written as it is described.
var ErrImage = errors.New("webp: invalid image")

const (
	// DefaultQuality is what a quality of 0 stands for.
	DefaultQuality = 75

	// MaxSide is in pixels: the header of a lossy picture has 14 bits for each side.
	MaxSide = 1<<14 - 1
)

// An Encoder keeps its memory from one picture to the next. The zero value is ready. It must not be used by two goroutines
// at once; whoever has many keeps a pool of Encoders.
type Encoder struct {
	lossy    lossy.Encoder
	lossless lossless.Encoder
	opacity  []byte // of a picture, row by row
	pixels   []byte // of a picture in another format
	image    Image  // that describes them
}
