package components

import (
	"cmp"
	"slices"
)

const (
	// maxPartners bounds the code-blocks among which a partner is searched.
	maxPartners = 64

	// passBytes is how many bytes of code count as much as a pass.
	passBytes = 200
)

// pairUp orders code-blocks, which are named by their index in blocks, such that the first and the second
// differ little, and so on: what a block has more to decode in a pass than its partner, it decodes alone.
func pairUp(order []int, blocks []codeBlock) {
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(blocks[b].Length, blocks[a].Length) })
	for left := order; len(left) > 2; left = left[2:] {
		first, partners := &blocks[left[0]], left[1:min(len(left), 1+maxPartners)]
		best := 0
		for i, partner := range partners {
			if first.difference(&blocks[partner]) < first.difference(&blocks[partners[best]]) {
				best = i
			}
		}
		partner := partners[best]
		copy(partners[1:], partners[:best])
		partners[0] = partner
	}
}

// difference estimates how much of two code-blocks cannot be decoded in turns.
func (b *codeBlock) difference(other *codeBlock) int {
	bytes, passes := b.Length-other.Length, b.Passes-other.Passes
	return max(bytes, -bytes) + passBytes*max(passes, -passes)
}
