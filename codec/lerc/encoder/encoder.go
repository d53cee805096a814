// Package encoder compresses samples to Lerc2 blobs of version 4, without loss. encode/blocks calls it.
// It knows samples and bytes only. Integers are packed in few bits, as their differences from the lowest
// one around them. Floats are stored as they are: before version 6 the format has nothing better for
// them, but a second compression around the blob may have.
package encoder

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"tileserver/codec/lerc"
)

// ErrImage is wrapped by every error about an invalid image description.
var ErrImage = errors.New("lerc: invalid image")

// Image describes one band to write. The encoder neither modifies nor retains it.
type Image struct {
	Type          lerc.Type
	Width, Height int
	Depth         int // samples of a pixel

	// Samples holds the samples of all pixels, row by row, lowest byte first.
	Samples []byte

	// Valid has one byte for each pixel, which is 0 if the pixel is not valid. Nil means that all are.
	Valid []uint8
}

const (
	magic         = "Lerc2 "
	version       = 4
	checksumAt    = len(magic) + 4
	checkedFrom   = checksumAt + 4
	blobBytesAt   = checkedFrom + 5*4
	losslessError = 0.5 // of integers
	maxBytes      = math.MaxInt32 / 2
)

// Encoder encodes images and reuses its memory. The zero value is ready to use. It is not safe for
// concurrent use.
type Encoder struct {
	integers []int64
	valid    int // valid pixels
}

// Append appends img as a blob to dst. If it fails, it returns dst unchanged.
func (e *Encoder) Append(dst []byte, img *Image) ([]byte, error) {
	if err := img.validate(); err != nil {
		return dst, err
	}
	e.valid = img.countValid()
	begin := len(dst)
	out := e.appendHeader(dst, img)
	out = e.appendMask(out, img)
	if img.isFloat() {
		out = e.appendFloats(out, begin, img)
	} else {
		out = e.appendIntegers(out, begin, img)
	}
	blob := out[begin:]
	binary.LittleEndian.PutUint32(blob[blobBytesAt:], uint32(len(blob)))
	binary.LittleEndian.PutUint32(blob[checksumAt:], lerc.Fletcher32(blob[checkedFrom:]))
	return out, nil
}

func (img *Image) isFloat() bool { return img.Type == lerc.Float32 || img.Type == lerc.Float64 }

func (img *Image) validate() error {
	if img.Type > lerc.Float64 || img.Width < 1 || img.Height < 1 || img.Depth < 1 {
		return fmt.Errorf("%w: %dx%d pixels of %d samples of %v", ErrImage, img.Width, img.Height, img.Depth, img.Type)
	}
	pixels := float64(img.Width) * float64(img.Height)
	if size := pixels * float64(img.Depth) * float64(img.Type.Bytes()); size > maxBytes || int(size) != len(img.Samples) {
		return fmt.Errorf("%w: %d bytes for %.0f, of which a blob takes at most %d", ErrImage, len(img.Samples), size, maxBytes)
	}
	if img.Valid != nil && len(img.Valid) != int(pixels) {
		return fmt.Errorf("%w: validity of %d pixels for %.0f", ErrImage, len(img.Valid), pixels)
	}
	return nil
}

func (img *Image) countValid() int {
	if img.Valid == nil {
		return img.Width * img.Height
	}
	count := 0
	for _, v := range img.Valid {
		if v != 0 {
			count++
		}
	}
	return count
}

// appendHeader appends the header, in which the checksum, the size and the range are set later.
func (e *Encoder) appendHeader(out []byte, img *Image) []byte {
	out = append(out, magic...)
	for _, field := range []int{version, 0, img.Height, img.Width, img.Depth, e.valid, blockSide, 0, int(img.Type)} {
		out = binary.LittleEndian.AppendUint32(out, uint32(field))
	}
	maxError := losslessError
	if img.isFloat() {
		maxError = 0
	}
	out = binary.LittleEndian.AppendUint64(out, math.Float64bits(maxError))
	return append(out, make([]byte, rangeBytes)...)
}

const (
	rangeAt    = blobBytesAt + 4 + 4 + 8
	rangeBytes = 2 * 8
)

// setRange sets the lowest and the highest sample in the header of a blob.
func setRange(blob []byte, low, high float64) {
	binary.LittleEndian.PutUint64(blob[rangeAt:], math.Float64bits(low))
	binary.LittleEndian.PutUint64(blob[rangeAt+8:], math.Float64bits(high))
}

// How the samples of a blob are stored.
const (
	inBlocks   = 0
	asTheyAre  = 1
	byteBlocks = 0 // says again that bytes are in blocks
)
