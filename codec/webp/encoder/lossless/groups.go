package lossless

import "slices"

const (
	maxGroups = 8

	// bitsPerGroup estimates the overhead of another group, without its codes.
	bitsPerGroup = 100
)

// groups assigns separate codes to regions of an image, since calm regions have smaller differences
// than busy ones.
type groups struct {
	number      int
	width       int
	blockBits   int
	blockGroups []uint8
	of          [maxGroups]codeGroup
	sorted      []uint32
	merged      histogram
}

// begin starts with one group for the whole image.
func (g *groups) begin(width int) {
	g.number, g.width, g.blockBits = 1, width, maxSideBits
	g.blockGroups = append(g.blockGroups[:0], 0)
}

// split forms groups of about equally many blocks, sorted by activity.
func (g *groups) split(activity []uint32, blockBits int) {
	g.number, g.blockBits = maxGroups, blockBits
	g.sorted = append(g.sorted[:0], activity...)
	slices.Sort(g.sorted)
	g.blockGroups = g.blockGroups[:0]
	for _, l := range activity {
		number := uint8(0)
		for number < maxGroups-1 && l > g.sorted[(int(number)+1)*len(g.sorted)/maxGroups] {
			number++
		}
		g.blockGroups = append(g.blockGroups, number)
	}
}

// cursor is the position of a token in the picture.
type cursor struct{ x, y, until int } // until is the first column that may belong to another group

// groupAt returns the group at the start of a token and sets at.until. It first wraps the cursor to
// the row where the previous token ended.
func (g *groups) groupAt(at *cursor) *codeGroup {
	at.y += at.x / g.width
	at.x %= g.width
	block := at.x >> g.blockBits
	at.until = min((block+1)<<g.blockBits, g.width)
	return &g.of[g.blockGroups[at.y>>g.blockBits*blocksAcross(g.width, g.blockBits)+block]]
}

// count counts the tokens of each group.
func (g *groups) count(tokens []token) {
	for i := range g.number {
		g.of[i].histogram = histogram{}
	}
	var at cursor
	var group *codeGroup
	for _, t := range tokens {
		if at.x >= at.until {
			group = g.groupAt(&at)
		}
		group.add(t)
		at.x += t.pixels()
	}
}

// writeTokens writes tokens with the codes of their groups.
func (g *groups) writeTokens(w *bitWriter, tokens []token) {
	var at cursor
	var group *codeGroup
	for _, t := range tokens {
		if at.x >= at.until {
			group = g.groupAt(&at)
		}
		group.writeToken(w, t)
		at.x += t.pixels()
	}
}

// merge joins each group with the next more active one if that saves bits.
func (g *groups) merge(greenAlphabet int) {
	var now [maxGroups]uint8
	last := 0
	lastBits := g.of[0].bits(greenAlphabet)
	for i := 1; i < g.number; i++ {
		own := g.of[i].bits(greenAlphabet)
		g.merged = g.of[last].histogram
		g.merged.join(&g.of[i].histogram)
		if both := g.merged.bits(greenAlphabet); both <= lastBits+own+bitsPerGroup {
			g.of[last].histogram, lastBits = g.merged, both
		} else {
			last++
			g.of[last].histogram, lastBits = g.of[i].histogram, own
		}
		now[i] = uint8(last)
	}
	g.number = last + 1
	for i, number := range g.blockGroups {
		g.blockGroups[i] = now[number]
	}
}
