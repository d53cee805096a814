package lossless

import "slices"

const (
	maxGroups = 8

	// bitsPerGroup is about what another group costs beside its codes.
	bitsPerGroup = 100
)

// groups gives parts of an image codes of their own: calm parts have other differences than lively ones.
type groups struct {
	number    int
	width     int
	blockBits int
	ofBlock   []uint8
	of        [maxGroups]codeGroup
	sorted    []uint32
	joined    histogram
}

// begin makes one group for all.
func (g *groups) begin(width int) {
	g.number, g.width, g.blockBits = 1, width, maxSideBits
	g.ofBlock = append(g.ofBlock[:0], 0)
}

// split makes groups of about as many blocks each, from the calmest to the liveliest.
func (g *groups) split(liveliness []uint32, blockBits int) {
	g.number, g.blockBits = maxGroups, blockBits
	g.sorted = append(g.sorted[:0], liveliness...)
	slices.Sort(g.sorted)
	g.ofBlock = g.ofBlock[:0]
	for _, l := range liveliness {
		number := uint8(0)
		for number < maxGroups-1 && l > g.sorted[(int(number)+1)*len(g.sorted)/maxGroups] {
			number++
		}
		g.ofBlock = append(g.ofBlock, number)
	}
}

// place follows tokens through the picture.
type place struct{ x, y, until int } // until is the first column that may belong to another group

// enter returns the group at a place where a token begins, which may be rows after the last.
func (g *groups) enter(at *place) *codeGroup {
	at.y += at.x / g.width
	at.x %= g.width
	block := at.x >> g.blockBits
	at.until = min((block+1)<<g.blockBits, g.width)
	return &g.of[g.ofBlock[at.y>>g.blockBits*blocksAcross(g.width, g.blockBits)+block]]
}

// count counts the tokens of each group.
func (g *groups) count(tokens []token) {
	for i := range g.number {
		g.of[i].histogram = histogram{}
	}
	var at place
	var group *codeGroup
	for _, t := range tokens {
		if at.x >= at.until {
			group = g.enter(&at)
		}
		group.add(t)
		at.x += t.pixels()
	}
}

// writeTokens writes tokens with the codes of their groups.
func (g *groups) writeTokens(w *bitWriter, tokens []token) {
	var at place
	var group *codeGroup
	for _, t := range tokens {
		if at.x >= at.until {
			group = g.enter(&at)
		}
		group.writeToken(w, t)
		at.x += t.pixels()
	}
}

// merge joins groups with the next livelier ones where that takes fewer bits.
func (g *groups) merge(greenAlphabet int) {
	var now [maxGroups]uint8
	last := 0
	lastBits := g.of[0].bits(greenAlphabet)
	for i := 1; i < g.number; i++ {
		own := g.of[i].bits(greenAlphabet)
		g.joined = g.of[last].histogram
		g.joined.join(&g.of[i].histogram)
		if both := g.joined.bits(greenAlphabet); both <= lastBits+own+bitsPerGroup {
			g.of[last].histogram, lastBits = g.joined, both
		} else {
			last++
			g.of[last].histogram, lastBits = g.of[i].histogram, own
		}
		now[i] = uint8(last)
	}
	g.number = last + 1
	for i, number := range g.ofBlock {
		g.ofBlock[i] = now[number]
	}
}
