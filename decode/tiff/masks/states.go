package masks

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// State says what is known of a block of a mask.
type State uint64

// The states.
const (
	Unknown   State = 0
	AllValid  State = 1
	HidesSome State = 2
)

const (
	stateBits     = 2
	stateMask     = 1<<stateBits - 1
	statesPerLine = 32 / stateBits
	lineShift     = 32
	maxStateLines = 1 << 10 // 8 KiB, the states of 16 thousand blocks
)

// States caches, for blocks of a mask, whether they hide anything. It has lines of consecutive
// blocks. A line is one 64-bit word: its number in the upper half, the states in the lower half.
// Each line number maps to one word and replaces the line that was there. So access never waits,
// and memory is bounded. The zero value is empty.
type States struct {
	lines atomic.Pointer[[]atomic.Uint64] // allocated by the first Record

	// AllValidUnit holds the stored bytes of a unit of the mask that hides nothing, once one has
	// been found.
	AllValidUnit atomic.Pointer[[]byte]
}

// Get returns what is known of a block.
func (s *States) Get(block int64) State {
	lines := s.lines.Load()
	if lines == nil {
		return Unknown
	}
	number, shift := block/statesPerLine, block%statesPerLine*stateBits
	line := (*lines)[number&int64(len(*lines)-1)].Load()
	if int64(line>>lineShift) != number {
		return Unknown
	}
	return State(line >> shift & stateMask)
}

// Record stores the state of a block; blocks is the number of blocks of the mask.
func (s *States) Record(block, blocks int64, found State) {
	number, shift := block/statesPerLine, block%statesPerLine*stateBits
	if number > math.MaxUint32 {
		return
	}
	lines := s.linesFor(blocks)
	word := &lines[number&int64(len(lines)-1)]
	for {
		old := word.Load()
		line := uint64(number) << lineShift
		if old>>lineShift == uint64(number) {
			line = old
		}
		line |= uint64(found) << shift
		if line == old || word.CompareAndSwap(old, line) {
			return
		}
	}
}

// linesFor returns the lines and allocates them on the first call: enough for so many blocks,
// rounded up to a power of two.
func (s *States) linesFor(blocks int64) []atomic.Uint64 {
	if lines := s.lines.Load(); lines != nil {
		return *lines
	}
	count := min((blocks+statesPerLine-1)/statesPerLine, maxStateLines)
	made := make([]atomic.Uint64, 1<<bits.Len64(uint64(max(count, 1)-1)))
	s.lines.CompareAndSwap(nil, &made) // fails if another goroutine was first
	return *s.lines.Load()
}
