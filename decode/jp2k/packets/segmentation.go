package packets

import "tileserver/decode/jp2k/codestream"

// segmentation is how the passes of a code-block are split into segments.
type segmentation uint8

const (
	notStarted segmentation = iota // no contribution yet
	single                         // one segment of all passes
	perPass                        // each pass is a segment
	bypass                         // the first ten passes, then alternately two raw passes and a coded one
	ht                             // alternately a cleanup pass and its refinements
	beforeHT                       // only placeholder passes so far
	beforeAny                      // the same, but the block may be of Part 1
	maxPasses  = 255
)

// first returns the segmentation of a new block of a style.
func first(style codestream.Style) segmentation {
	switch {
	case style&codestream.HT == 0:
		return ofPart1(style)
	case style&codestream.HTMixed == 0:
		return beforeHT
	}
	return beforeAny
}

func ofPart1(style codestream.Style) segmentation {
	switch {
	case style&codestream.TerminateAll != 0:
		return perPass
	case style&codestream.Bypass != 0:
		return bypass
	}
	return single
}

// firstRaw is the first raw pass in blocks that bypass the arithmetic coder.
const firstRaw = 10

// remaining returns the number of passes from number p to the end of p's segment.
func (s segmentation) remaining(p int) int {
	switch s {
	case perPass:
		return 1
	case bypass:
		if p < firstRaw {
			return firstRaw - p
		}
		return []int{2, 1, 1}[(p-firstRaw)%3]
	case ht:
		return []int{1, 2, 1}[p%3]
	}
	return maxPasses
}

// continues reports whether pass number p continues the segment of the pass before it.
func (s segmentation) continues(p int) bool {
	switch s {
	case perPass:
		return false
	case bypass:
		return p > 0 && (p < firstRaw || (p-firstRaw)%3 == 1)
	case ht:
		return p%3 == 2
	}
	return p > 0
}
