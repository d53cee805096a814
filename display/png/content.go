package png

import (
	"encoding/binary"

	"tileserver/display/png/deflate"
)

// treatment is what is done to a whole image.
type treatment struct {
	filter filter
	effort deflate.Effort
}

const (
	sampledRows   = 16
	sampledPixels = 512 // of each row
	setSlotBits   = 13
	setSlots      = 1 << setSlotBits
)

// treat looks at some rows to tell three kinds of image apart: graphics, with few colours and sharp edges, where filters
// mostly destroy repetitions; photographs, where matches are too rare to look for; and what wants both a filter and the
// matches, such as a photograph with empty area around it or a smooth surface.
func (e *Encoder) treat() treatment {
	w := &e.wire
	if w.bitDepth < 8 {
		return treatment{filterNone, deflate.Matches}
	}
	var s sample
	e.sampleRows(1, func(row, above []byte) { s.add(row, above, w.bytesPerPixel) })
	if s.isGraphic() {
		kind, _ := e.repeatingFilter(50, filterNone, filterUp, filterPaeth, filterSub)
		return treatment{kind, deflate.Matches}
	}
	order := [...]filter{filterPaeth, filterUp, filterSub}
	if w.bytesPerPixel <= 2 {
		order = [...]filter{filterUp, filterPaeth, filterSub} // one sample: a surface more often than a photograph
	}
	kind, pairs := e.repeatingFilter(90, order[:]...)
	pixelsOfPair := 12
	if w.bitDepth == 16 {
		pixelsOfPair = 4 // the higher bytes match by themselves
	}
	if s.edges*4 <= s.pixels*3 || pairs*pixelsOfPair <= s.pixels {
		return treatment{kind, deflate.Matches}
	}
	return treatment{e.shortestFilter(), deflate.Literals}
}

// sample counts what is typical of the kinds of image.
type sample struct {
	pixels  int
	edges   int // pixels that differ from their left and their upper neighbour
	colours set // values that edges have
}

func (s *sample) add(row, above []byte, bytesPerPixel int) {
	left := pixelValue(row[:bytesPerPixel])
	for x := bytesPerPixel; x+bytesPerPixel <= len(row); x += bytesPerPixel {
		pixel, up := pixelValue(row[x:x+bytesPerPixel]), pixelValue(above[x:x+bytesPerPixel])
		s.pixels++
		if pixel != left && pixel != up {
			s.edges++
			s.colours.add(pixel)
		}
		left = pixel
	}
}

func (s *sample) isGraphic() bool {
	return s.colours.size <= 16 || s.edges*8 <= s.pixels && s.colours.size*2 <= s.edges
}

// sampleRows calls look with each of the sampled rows, or with one of every few, and the row above it.
func (e *Encoder) sampleRows(every int, look func(row, above []byte)) {
	w := &e.wire
	length := min(w.rowBytes, sampledPixels*w.bytesPerPixel)
	step := (w.height/sampledRows | 1) * every // odd, not to meet the same row of every block of an enlarged image
	for y := step / 2; y < w.height; y += step {
		row := w.row(y, e.scratch[0])[:length]
		above := row
		if y > 0 {
			above = w.row(y-1, e.scratch[1])[:length]
		}
		look(row, above)
	}
}

// A set counts different values, a little too few where hashes collide.
type set struct {
	size int
	seen [setSlots / 64]uint64
}

func (s *set) add(value uint64) {
	slot := value * 0x9e3779b97f4a7c15 >> (64 - setSlotBits)
	if bit := uint64(1) << (slot % 64); s.seen[slot/64]&bit == 0 {
		s.seen[slot/64] |= bit
		s.size++
	}
}

// pixelValue returns the bytes of a pixel, the first lowest.
func pixelValue(pixel []byte) uint64 {
	switch len(pixel) {
	case 1:
		return uint64(pixel[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(pixel))
	case 3:
		return uint64(pixel[0]) | uint64(pixel[1])<<8 | uint64(pixel[2])<<16
	case 4:
		return uint64(binary.LittleEndian.Uint32(pixel))
	case 6:
		return uint64(binary.LittleEndian.Uint32(pixel)) | uint64(binary.LittleEndian.Uint16(pixel[4:]))<<32
	}
	return binary.LittleEndian.Uint64(pixel)
}
