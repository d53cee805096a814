package packets

import "tileserver/decode/jp2k/codestream"

// segmentation is how the passes of a code-block are cut into segments.
type segmentation uint8

const (
	unseen     segmentation = iota // nothing of the block came yet
	single                         // one segment of all passes
	perPass                        // each pass is one
	bypass                         // the first ten, then two raw ones and a coded one by turns
	ht                             // a cleanup pass and its refinements by turns
	beforeHT                       // there were placeholder passes at most
	beforeAny                      // the same, but what follows may be of Part 1
	mostPasses = 255
)

// first is how blocks of a style begin.
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

// firstRaw is the first pass that is not arithmetically coded, in blocks that bypass that.
const firstRaw = 10

// room is how many more passes the segment can take that pass number p is in.
func (s segmentation) room(p int) int {
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
	return mostPasses
}

// within tells whether pass number p goes on with the segment of the pass before it.
func (s segmentation) within(p int) bool {
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
