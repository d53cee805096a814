package lossy

// macroblock is what the first partition says of 16x16 pixels.
type macroblock struct {
	empty    bool // it has no coefficients
	detailed bool // its subblocks have modes of their own
	luma     mode
	chroma   mode
	modes    [16]mode // of the subblocks
}

// work is what it takes to encode a macroblock, kept so that it need not be cleared each time.
type work struct {
	around       neighbours // of luma, then of the first chroma
	aroundV      neighbours
	predictions  predictions
	coefficients [16]block
	means        block
	levels       [24]block // sixteen of luma, four of each chroma
	meansLevels  block
	ends         [24]uint8 // behind the last level that is not zero
	meansEnd     uint8
}

// place is where a macroblock is.
type place struct{ column, row int }

// mostKeptTokens bounds the memory for tokens, in bytes: those of a large picture of noise would take many times what
// its pixels do.
const mostKeptTokens = 64 << 20

// encodeMacroblocks chooses modes and levels for the picture, and rebuilds it.
func (e *Encoder) encodeMacroblocks() {
	e.overflown = false
	e.encodeRows(nil)
}

// encodeRows keeps the tokens of all rows, unless those get too many. Then only their counts are kept, and once these have
// made the probabilities, all is encoded again and each row is written as it is done.
func (e *Encoder) encodeRows(p *probabilityTable) {
	e.tokens.reset()
	e.modeTokens = e.modeTokens[:0]
	e.emptyCount = 0
	clear(e.above)
	clear(e.modes.above)
	for row := range e.rows {
		e.left, e.modes.left = edge{}, [4]mode{}
		if e.inTwo() {
			e.tokens.to = row & 1
		}
		for column := range e.columns {
			e.encodeMacroblock(place{column, row})
		}
		if e.overflown = e.overflown || !e.inTwo() && len(e.tokens.lists[0]) > e.settings.mostKeptTokens; e.overflown {
			if p != nil {
				e.writer.tokens(e.tokens.lists[0], p)
			}
			e.tokens.lists[0] = e.tokens.lists[0][:0]
		}
	}
}

func (e *Encoder) encodeMacroblock(at place) {
	var m macroblock
	e.encodeLuma(at, &m)
	e.encodeChroma(at, &m)
	if m.empty = !e.work.hasLevels(m.detailed) && e.settings.restraint < oneModeOnly; m.empty {
		e.emptyCount++
		e.above[at.column].clear(m.detailed)
		e.left.clear(m.detailed)
	} else {
		e.addLevels(at.column, &m)
	}
	e.addModes(at.column, &m)
}

// hasLevels tells whether a macroblock has any that are not zero.
func (w *work) hasLevels(detailed bool) bool {
	ends := uint8(0)
	for _, end := range w.ends {
		ends |= end
	}
	if !detailed {
		ends |= w.meansEnd
	}
	return ends > 0
}

// addLevels adds the tokens of a macroblock.
func (e *Encoder) addLevels(column int, m *macroblock) {
	w, above, left := &e.work, &e.above[column], &e.left
	kind, first := lumaWhole, 0
	if !m.detailed {
		e.tokens.addBlock(&w.meansLevels, lumaMean, int(above.means+left.means), 0, int(w.meansEnd))
		above.means = min(w.meansEnd, 1)
		left.means = above.means
		kind, first = lumaWithoutMean, 1
	}
	for i := range 16 {
		a, l := &above.luma[i&3], &left.luma[i>>2]
		e.tokens.addBlock(&w.levels[i], kind, int(*a+*l), first, int(w.ends[i]))
		*a = min(w.ends[i], 1)
		*l = *a
	}
	for i := range 8 {
		plane := i >> 2
		a, l := &above.chroma[2*plane+i&1], &left.chroma[2*plane+i>>1&1]
		e.tokens.addBlock(&w.levels[16+i], chromaBlock, int(*a+*l), 0, int(w.ends[16+i]))
		*a = min(w.ends[16+i], 1)
		*l = *a
	}
}

// edge is which blocks along an edge have coefficients: four of luma, two of each chroma, and the one of means.
type edge struct {
	luma   [4]uint8
	chroma [4]uint8
	means  uint8
}

// clear is for a macroblock without coefficients; one in subblocks leaves no word on means.
func (e *edge) clear(detailed bool) {
	means := e.means
	*e = edge{}
	if detailed {
		e.means = means
	}
}
