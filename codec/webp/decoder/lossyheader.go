package decoder

import (
	"encoding/binary"
	"fmt"

	"tileserver/codec/webp/vp8"
)

// readLossy reads the size of a VP8 key frame (RFC 6386, section 9.1).
func (h *Header) readLossy() error {
	const headerBytes = 10
	if len(h.picture) < headerBytes {
		return fmt.Errorf("a frame of %d bytes: %w", len(h.picture), ErrCorrupt)
	}
	switch tag := h.picture[0]; {
	case tag&1 != 0:
		return fmt.Errorf("not a key frame: %w", ErrCorrupt)
	case tag>>1&7 > 3:
		return fmt.Errorf("version %d of VP8: %w", tag>>1&7, ErrUnsupported)
	case [3]byte(h.picture[3:6]) != [3]byte{0x9d, 0x01, 0x2a}:
		return fmt.Errorf("no start code in the frame: %w", ErrCorrupt)
	}
	const sizeMask = 1<<14 - 1 // the two bits above are a display scale
	h.Width = int(binary.LittleEndian.Uint16(h.picture[6:]) & sizeMask)
	h.Height = int(binary.LittleEndian.Uint16(h.picture[8:]) & sizeMask)
	if h.Width == 0 || h.Height == 0 {
		return fmt.Errorf("a frame of %dx%d pixels: %w", h.Width, h.Height, ErrCorrupt)
	}
	return nil
}

const segments = 4

// frameHeader holds the parameters of a key frame.
type frameHeader struct {
	segmented        bool
	mapsSegments     bool // each macroblock codes its segment
	absolute         bool // segment values replace those of the frame; otherwise they are added
	segmentQuantizer [segments]int
	segmentLevel     [segments]int
	segmentTree      [3]uint8

	simpleFilter  bool
	filterLevel   int
	sharpness     int
	levelDeltas   bool
	intraDelta    int // added to the filter level of intra-coded macroblocks
	subblockDelta int // added to the filter level of macroblocks with subblock modes

	steps        [segments]steps
	canSkip      bool
	skip         uint8 // probability that a macroblock has coefficients
	coefficients vp8.CoefficientProbabilities
}

// steps holds quantizer steps: one for the first coefficient of a block, one for the others.
type steps struct{ luma, lumaDC, chroma [2]int32 }

// parse reads the header from the first partition.
func (h *frameHeader) parse(r *boolReader) (partitionsLog2 int) {
	*h = frameHeader{}
	r.uint(2) // color space and clamping; both values decode alike
	h.parseSegments(r)
	h.parseFilter(r)
	partitionsLog2 = r.uint(2)
	h.parseSteps(r)
	r.flag() // affects only later frames
	h.coefficients = vp8.InitialCoefficients
	for i := range h.coefficients {
		for j := range h.coefficients[i] {
			for k := range h.coefficients[i][j] {
				for l := range h.coefficients[i][j][k] {
					if r.bit(vp8.CoefficientUpdates[i][j][k][l]) == 1 {
						h.coefficients[i][j][k][l] = uint8(r.uint(8))
					}
				}
			}
		}
	}
	if h.canSkip = r.flag(); h.canSkip {
		h.skip = uint8(r.uint(8))
	}
	return partitionsLog2
}

// parseSegments reads the segment header (RFC 6386, section 9.3).
func (h *frameHeader) parseSegments(r *boolReader) {
	if h.segmented = r.flag(); !h.segmented {
		return
	}
	h.mapsSegments = r.flag()
	if r.flag() {
		h.absolute = r.flag()
		for i := range segments {
			h.segmentQuantizer[i] = r.optional(7)
		}
		for i := range segments {
			h.segmentLevel[i] = r.optional(6)
		}
	}
	if !h.mapsSegments {
		return
	}
	for i := range h.segmentTree {
		h.segmentTree[i] = 255
		if r.flag() {
			h.segmentTree[i] = uint8(r.uint(8))
		}
	}
}

// parseFilter reads the loop filter header (RFC 6386, sections 9.4 and 9.6). Key frames use only
// two of the deltas.
func (h *frameHeader) parseFilter(r *boolReader) {
	h.simpleFilter = r.flag()
	h.filterLevel = r.uint(6)
	h.sharpness = r.uint(3)
	if h.levelDeltas = r.flag(); !h.levelDeltas || !r.flag() {
		return
	}
	var deltas [8]int // four by reference frame, four by mode
	for i := range deltas {
		deltas[i] = r.optional(6)
	}
	h.intraDelta, h.subblockDelta = deltas[0], deltas[4]
}

// parseSteps reads the quantizer indexes (RFC 6386, sections 9.6 and 14.1).
func (h *frameHeader) parseSteps(r *boolReader) {
	const maxIndex, maxChromaDC = 127, 117
	base := r.uint(7)
	lumaFirstDelta, lumaDCDelta, dcValues, chromaFirstDelta, chroma := r.optional(4), r.optional(4), r.optional(4), r.optional(4), r.optional(4)
	for i := range h.steps {
		q := base
		if h.segmented {
			q = h.segmentQuantizer[i]
			if !h.absolute {
				q += base
			}
		}
		dc := func(delta, limit int) int32 { return int32(vp8.DCSteps[min(max(q+delta, 0), limit)]) }
		ac := func(delta int) int32 { return int32(vp8.ACSteps[min(max(q+delta, 0), maxIndex)]) }
		h.steps[i] = steps{
			luma:   [2]int32{dc(lumaFirstDelta, maxIndex), ac(0)},
			lumaDC: [2]int32{2 * dc(lumaDCDelta, maxIndex), max(ac(dcValues)*155/100, 8)},
			chroma: [2]int32{dc(chromaFirstDelta, maxChromaDC), ac(chroma)},
		}
	}
}

// maxPartitions is the maximum number of coefficient partitions.
const maxPartitions = 8

// readPartitions locates the coefficient partitions. Rows of macroblocks use them in turn.
func readPartitions(readers *[maxPartitions]boolReader, data []byte, n int) error {
	const sizeBytes = 3
	sizes := sizeBytes * (n - 1)
	if len(data) < sizes {
		return fmt.Errorf("the sizes of %d partitions: %w", n, ErrCorrupt)
	}
	rest := data[sizes:]
	for i := range n - 1 {
		size := int(data[sizeBytes*i]) | int(data[sizeBytes*i+1])<<8 | int(data[sizeBytes*i+2])<<16
		if size > len(rest) {
			return fmt.Errorf("partition %d of %d bytes with %d remaining: %w", i, size, len(rest), ErrCorrupt)
		}
		readers[i] = newBoolReader(rest[:size])
		rest = rest[size:]
	}
	readers[n-1] = newBoolReader(rest)
	return nil
}
