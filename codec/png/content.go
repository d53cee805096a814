package png

import (
	"encoding/binary"

	deflate "tileserver/codec/deflate/encoder"
)

// strategy selects the filter and the compression effort for a whole image.
type strategy struct {
	filter filter
	effort deflate.Effort
}

const (
	sampledRows   = 16
	sampledPixels = 512 // of each row
	setSlotBits   = 13
	setSlots      = 1 << setSlotBits
)

// chooseStrategy samples some rows to distinguish three kinds of images. Graphics have few colors
// and sharp edges, where filters mostly destroy repetitions. In photographs, matches are too rare
// to search for. Other images, such as a photograph with empty area around it or a smooth surface,
// benefit from both a filter and matches.
func (e *Encoder) chooseStrategy() strategy {
	w := &e.encoding
	if w.bitDepth < 8 {
		return strategy{filterNone, deflate.Matches}
	}
	var s sample
	e.sampleRows(1, func(row, above []byte) { s.add(row, above, w.bytesPerPixel) })
	if s.isGraphic() {
		kind, _ := e.repeatingFilter(50, filterNone, filterUp, filterPaeth, filterSub)
		return strategy{kind, deflate.Matches}
	}
	order := [...]filter{filterPaeth, filterUp, filterSub}
	if w.bytesPerPixel <= 2 {
		// One sample: more often a surface than a photograph.
		order = [...]filter{filterUp, filterPaeth, filterSub}
	}
	kind, pairs := e.repeatingFilter(90, order[:]...)
	pixelsOfPair := 12
	if w.bitDepth == 16 {
		pixelsOfPair = 4 // the higher bytes match even where pixels do not
	}
	if s.edges*4 <= s.pixels*3 || pairs*pixelsOfPair <= s.pixels {
		return strategy{kind, deflate.Matches}
	}
	return strategy{e.shortestFilter(), deflate.Literals}
}

// sample holds statistics that distinguish the kinds of images.
type sample struct {
	pixels int
	edges  int // pixels that differ from the left and the upper neighbor
	colors set // distinct pixel values of edges
}

func (s *sample) add(row, above []byte, bytesPerPixel int) {
	left := pixelValue(row[:bytesPerPixel])
	for x := bytesPerPixel; x+bytesPerPixel <= len(row); x += bytesPerPixel {
		pixel, up := pixelValue(row[x:x+bytesPerPixel]), pixelValue(above[x:x+bytesPerPixel])
		s.pixels++
		if pixel != left && pixel != up {
			s.edges++
			s.colors.add(pixel)
		}
		left = pixel
	}
}

func (s *sample) isGraphic() bool {
	return s.colors.size <= 16 || s.edges*8 <= s.pixels && s.colors.size*2 <= s.edges
}

// sampleRows calls visit with every n-th of the sampled rows and the row above it.
func (e *Encoder) sampleRows(every int, visit func(row, above []byte)) {
	w := &e.encoding
	length := min(w.rowBytes, sampledPixels*w.bytesPerPixel)
	// Odd, to avoid sampling the same row of every block of an enlarged image.
	step := (w.height/sampledRows | 1) * every
	for y := step / 2; y < w.height; y += step {
		row := w.row(y, e.scratch[0])[:length]
		above := row
		if y > 0 {
			above = w.row(y-1, e.scratch[1])[:length]
		}
		visit(row, above)
	}
}

// set counts distinct values. Hash collisions make the count slightly too low.
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

// pixelValue returns the bytes of a pixel as a number, first byte lowest.
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
