package tiff

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// hiding is what is known of a block of a mask.
type hiding uint64

const (
	hidingUnknown hiding = 0
	hidesNothing  hiding = 1
	hidesSome     hiding = 2
)

const (
	hidingBits      = 2
	hidingMask      = 1<<hidingBits - 1
	hidingsInALine  = 32 / hidingBits
	hidingLineShift = 32
	mostHidingLines = 1 << 10 // 8 KiB for 16 thousand blocks
)

// hidings remember of the blocks of a mask whether they hide anything, in lines of
// some blocks that follow each other. A line is one word, its number above what is
// known, and has one place: another that has the same puts it out. So nobody waits,
// and no more is taken than that. The zero value knows nothing.
type hidings struct {
	lines atomic.Pointer[[]atomic.Uint64] // made when there is something to note

	// wholeUnit is how a unit of the mask is stored that hides nothing, once one has
	// been seen.
	wholeUnit atomic.Pointer[[]byte]
}

// of is what is known of a block.
func (h *hidings) of(block int64) hiding {
	lines := h.lines.Load()
	if lines == nil {
		return hidingUnknown
	}
	number, shift := block/hidingsInALine, block%hidingsInALine*hidingBits
	line := (*lines)[number&int64(len(*lines)-1)].Load()
	if int64(line>>hidingLineShift) != number {
		return hidingUnknown
	}
	return hiding(line >> shift & hidingMask)
}

// note keeps what has been found out of one of so many blocks.
func (h *hidings) note(block, blocks int64, found hiding) {
	number, shift := block/hidingsInALine, block%hidingsInALine*hidingBits
	if number > math.MaxUint32 {
		return
	}
	lines := h.linesFor(blocks)
	place := &lines[number&int64(len(lines)-1)]
	for {
		old := place.Load()
		line := uint64(number) << hidingLineShift
		if old>>hidingLineShift == uint64(number) {
			line = old
		}
		line |= uint64(found) << shift
		if line == old || place.CompareAndSwap(old, line) {
			return
		}
	}
}

// linesFor is the lines, as many as so many blocks have a use for, rounded up to a
// power of two.
func (h *hidings) linesFor(blocks int64) []atomic.Uint64 {
	if lines := h.lines.Load(); lines != nil {
		return *lines
	}
	wanted := min((blocks+hidingsInALine-1)/hidingsInALine, mostHidingLines)
	made := make([]atomic.Uint64, 1<<bits.Len64(uint64(max(wanted, 1)-1)))
	h.lines.CompareAndSwap(nil, &made) // or somebody else has made them meanwhile
	return *h.lines.Load()
}
