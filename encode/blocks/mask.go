package blocks

import (
	"fmt"
	"sync"

	"tileserver/raster"
)

// MaskEncoder encodes the masks of blocks: a bit for each pixel, set where there is any coverage,
// compressed by Deflate. It is safe for concurrent use.
type MaskEncoder struct {
	width, height int
	workers       sync.Pool // of *maskWorker
}

// maskEffort suits the runs of masks, which are short when compressed.
const maskEffort = 6

// NewMaskEncoder returns an encoder for masks of blocks of width by height pixels.
func NewMaskEncoder(width, height int) (*MaskEncoder, error) {
	shape := Shape{Width: width, Height: height, Samples: 1, Type: raster.Uint8}
	if err := shape.validate(); err != nil {
		return nil, err
	}
	return &MaskEncoder{width: width, height: height}, nil
}

type maskWorker struct {
	bits    []byte
	deflate *deflateCompressor
}

// Append appends an encoded mask to dst. The coverage has width by height pixels, the upper left part
// of the block; nil means that all of them are covered. What is beyond them is not.
func (e *MaskEncoder) Append(dst []byte, coverage []uint8, width, height int) ([]byte, error) {
	if width < 1 || height < 1 || width > e.width || height > e.height || coverage != nil && len(coverage) != width*height {
		return dst, fmt.Errorf("a mask of %dx%d pixels with %d of coverage for a block of %dx%d",
			width, height, len(coverage), e.width, e.height)
	}
	w, ok := e.workers.Get().(*maskWorker)
	if !ok {
		deflate, err := newDeflate(maskEffort)
		if err != nil {
			return dst, err
		}
		w = &maskWorker{make([]byte, (e.width+7)/8*e.height), deflate}
	}
	defer e.workers.Put(w)
	clear(w.bits)
	rowBytes := (e.width + 7) / 8
	for y := range height {
		row := w.bits[y*rowBytes:][:rowBytes]
		if coverage == nil {
			setBits(row, width)
		} else {
			setCovered(row, coverage[y*width:][:width])
		}
	}
	return w.deflate.append(dst, w.bits)
}

// setBits sets the first bits of a row.
func setBits(row []byte, count int) {
	for at := range count / 8 {
		row[at] = 0xff
	}
	if rest := count % 8; rest > 0 {
		row[count/8] = 0xff << (8 - rest)
	}
}

// setCovered sets the bits of pixels with any coverage.
func setCovered(row []byte, coverage []uint8) {
	for x, c := range coverage {
		if c != raster.Invalid {
			row[x/8] |= 0x80 >> (x % 8)
		}
	}
}
