package lossy

import "tileserver/codec/webp/vp8"

// macroblock holds the modes of 16x16 pixels, which the first partition codes.
type macroblock struct {
	empty        bool // no coefficients
	hasSubblocks bool // each subblock has its own mode
	luma         vp8.Mode
	chroma       vp8.Mode
	modes        [16]vp8.Mode // modes of the subblocks
}

// workspace is the memory for encoding a macroblock. It is reused without clearing.
type workspace struct {
	around       neighbors // of luma, then of the first chroma plane
	aroundV      neighbors
	predictions  predictions
	coefficients [16]block
	dcValues     block
	levels       [24]block // 16 of luma, 4 of each chroma plane
	dcLevels     block
	ends         [24]uint8 // index after the last nonzero level of each block
	dcEnd        uint8
}

// position is the position of a macroblock.
type position struct{ column, row int }

// maxTokenBytes bounds the memory for tokens. Those of a large noisy picture would take many times
// the memory of its pixels.
const maxTokenBytes = 64 << 20

// encodeMacroblocks chooses the modes and levels of all macroblocks, and reconstructs the picture.
func (e *Encoder) encodeMacroblocks() {
	e.hasOverflowed = false
	e.encodeRows(nil)
}

// encodeRows encodes all rows and stores their tokens. If there are too many tokens, it stores only
// their counts. A second call with the resulting probabilities then encodes the rows again and
// writes each row at once.
func (e *Encoder) encodeRows(p *probabilityTable) {
	e.tokens.reset()
	e.modeTokens = e.modeTokens[:0]
	e.emptyCount = 0
	clear(e.above)
	clear(e.modes.above)
	for row := range e.rows {
		e.left, e.modes.left = edge{}, [4]vp8.Mode{}
		if e.hasTwoPartitions() {
			e.tokens.to = row & 1
		}
		for column := range e.columns {
			e.encodeMacroblock(position{column, row})
		}
		if e.hasOverflowed = e.hasOverflowed || !e.hasTwoPartitions() && len(e.tokens.lists[0]) > e.settings.maxTokenBytes; e.hasOverflowed {
			if p != nil {
				e.writer.tokens(e.tokens.lists[0], p)
			}
			e.tokens.lists[0] = e.tokens.lists[0][:0]
		}
	}
}

func (e *Encoder) encodeMacroblock(at position) {
	var m macroblock
	e.encodeLuma(at, &m)
	e.encodeChroma(at, &m)
	if m.empty = !e.workspace.hasLevels(m.hasSubblocks) && e.settings.restriction < oneModeOnly; m.empty {
		e.emptyCount++
		e.above[at.column].clear(m.hasSubblocks)
		e.left.clear(m.hasSubblocks)
	} else {
		e.addLevels(at.column, &m)
	}
	e.addModes(at.column, &m)
}

// hasLevels reports whether a macroblock has nonzero levels.
func (w *workspace) hasLevels(hasSubblocks bool) bool {
	ends := uint8(0)
	for _, end := range w.ends {
		ends |= end
	}
	if !hasSubblocks {
		ends |= w.dcEnd
	}
	return ends > 0
}

// addLevels adds the tokens of the levels of a macroblock.
func (e *Encoder) addLevels(column int, m *macroblock) {
	w, above, left := &e.workspace, &e.above[column], &e.left
	kind, first := vp8.LumaFullBlock, 0
	if !m.hasSubblocks {
		e.tokens.addBlock(&w.dcLevels, vp8.LumaDCBlock, int(above.dcValues+left.dcValues), 0, int(w.dcEnd))
		above.dcValues = min(w.dcEnd, 1)
		left.dcValues = above.dcValues
		kind, first = vp8.LumaACBlock, 1
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
		e.tokens.addBlock(&w.levels[16+i], vp8.ChromaBlock, int(*a+*l), 0, int(w.ends[16+i]))
		*a = min(w.ends[16+i], 1)
		*l = *a
	}
}

// edge records which blocks along an edge of a macroblock have coefficients: four luma blocks, two
// blocks for each chroma plane, and the block of luma DC values.
type edge struct {
	luma     [4]uint8
	chroma   [4]uint8
	dcValues uint8
}

// clear records a macroblock without coefficients. A macroblock with subblock modes has no DC block
// and leaves that entry unchanged.
func (e *edge) clear(hasSubblocks bool) {
	dcValues := e.dcValues
	*e = edge{}
	if hasSubblocks {
		e.dcValues = dcValues
	}
}
