package png

import (
	"encoding/binary"
	"math/bits"
)

// deflateMode is how the filtered bytes are compressed.
type deflateMode uint8

const (
	entropyOnly deflateMode = iota // Huffman codes, no search for matches: noise has none worth finding
	withMatches

	deflateModes = 2
)

// treatment is what is done to a whole image.
type treatment struct {
	filter filter
	mode   deflateMode
}

const (
	sampledRows   = 16
	sampledPixels = 512 // of each row
	setSlotBits   = 13
	setSlots      = 1 << setSlotBits
)

// treat looks at some rows of the source to tell three kinds of image apart: graphics, with few colours and sharp
// edges, where filters only destroy repetitions; photographs, where matches are too rare to look for; and what wants
// both the filter and the matches, such as a photograph with empty area around it or a smooth surface.
func treat(source *rows, scratch, scratchAbove []byte) treatment {
	if source.indexed {
		return treatment{filterNone, withMatches}
	}
	var s sample
	step := source.height/sampledRows | 1 // odd, not to meet the same row of every block of an enlarged image
	for y := step / 2; y < source.height; y += step {
		row := source.row(y, scratch)
		above := row
		if y > 0 {
			above = source.row(y-1, scratchAbove)
		}
		s.add(row, above, source.bytesPerPixel)
	}
	return s.treatment()
}

// sample counts what is typical of the kinds of image.
type sample struct {
	pixels    int
	edges     int // pixels that differ from their left and their upper neighbour
	colours   set // values that edges have
	residuals set // pairs of neighbouring differences from the Paeth prediction
}

func (s *sample) add(row, above []byte, bytesPerPixel int) {
	length := min(len(row), sampledPixels*bytesPerPixel)
	left, upLeft := pixelValue(row[:bytesPerPixel]), pixelValue(above[:bytesPerPixel])
	var residual, residualBefore uint32
	for x := bytesPerPixel; x < length; x += bytesPerPixel {
		pixel, up := pixelValue(row[x:x+bytesPerPixel]), pixelValue(above[x:x+bytesPerPixel])
		residual, residualBefore = residualValue(pixel, left, up, upLeft), residual
		s.residuals.add(residual ^ bits.RotateLeft32(residualBefore, 13))
		s.pixels++
		if pixel != left && pixel != up {
			s.edges++
			s.colours.add(pixel)
		}
		left, upLeft = pixel, up
	}
}

func (s *sample) treatment() treatment {
	switch {
	case s.colours.size <= 16 || s.edges*8 <= s.pixels && s.colours.size*2 <= s.edges:
		return treatment{filterNone, withMatches}
	case s.edges*4 <= s.pixels*3 || s.residuals.size*8 <= s.pixels:
		return treatment{filterPaeth, withMatches}
	}
	return treatment{filterPaeth, entropyOnly}
}

// A set counts different values, a little too few where hashes collide.
type set struct {
	size int
	seen [setSlots / 64]uint64
}

func (s *set) add(value uint32) {
	slot := value * 0x9e3779b1 >> (32 - setSlotBits)
	if bit := uint64(1) << (slot % 64); s.seen[slot/64]&bit == 0 {
		s.seen[slot/64] |= bit
		s.size++
	}
}

// residualValue returns the differences of all bytes of a pixel from their Paeth predictions.
func residualValue(pixel, left, up, upLeft uint32) uint32 {
	a, b, c := uint64(left), uint64(up), uint64(upLeft)
	even := paethLanes(a&laneBytes, b&laneBytes, c&laneBytes)
	odd := paethLanes(a>>8&laneBytes, b>>8&laneBytes, c>>8&laneBytes)
	return uint32(subtractBytes(uint64(pixel), even|odd<<8))
}

func pixelValue(pixel []byte) uint32 {
	switch len(pixel) {
	case 1:
		return uint32(pixel[0])
	case 2:
		return uint32(pixel[0]) | uint32(pixel[1])<<8
	case 3:
		return uint32(pixel[0]) | uint32(pixel[1])<<8 | uint32(pixel[2])<<16
	}
	return binary.LittleEndian.Uint32(pixel)
}
