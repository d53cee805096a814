package decoder

import "tileserver/codec/webp/vp8"

// macroblock holds the modes of 16x16 pixels, which the first partition codes.
type macroblock struct {
	segment      int
	empty        bool // no coefficients
	hasSubblocks bool // each subblock has its own mode
	luma         vp8.Mode
	chroma       vp8.Mode
	modes        [16]vp8.Mode // modes of the subblocks
}

// modeContext holds the modes of the subblocks above and to the left of the current macroblock.
type modeContext struct {
	above []vp8.Mode // four per macroblock
	left  [4]vp8.Mode
}

// parseMacroblock reads the modes of the macroblock in the given column (RFC 6386, sections 10 and
// 11).
func (h *frameHeader) parseMacroblock(r *boolReader, context *modeContext, column int) (m macroblock) {
	if h.mapsSegments {
		m.segment = r.bit(h.segmentTree[0])
		m.segment = 2*m.segment + r.bit(h.segmentTree[1+m.segment])
	}
	if h.canSkip {
		m.empty = r.bit(h.skip) == 1
	}
	above := context.above[4*column:][:4]
	if m.hasSubblocks = r.bit(vp8.LumaModeProbabilities[0]) == 0; m.hasSubblocks {
		m.parseSubblocks(r, above, &context.left)
	} else {
		m.luma = lumaMode(r)
		for i := range 4 {
			above[i], context.left[i] = m.luma, m.luma
		}
	}
	m.chroma = chromaMode(r)
	return m
}

func lumaMode(r *boolReader) vp8.Mode {
	if r.bit(vp8.LumaModeProbabilities[1]) == 0 {
		return [...]vp8.Mode{vp8.ModeDC, vp8.ModeVertical}[r.bit(vp8.LumaModeProbabilities[2])]
	}
	return [...]vp8.Mode{vp8.ModeHorizontal, vp8.ModeTrueMotion}[r.bit(vp8.LumaModeProbabilities[3])]
}

func chromaMode(r *boolReader) vp8.Mode {
	switch {
	case r.bit(vp8.ChromaModeProbabilities[0]) == 0:
		return vp8.ModeDC
	case r.bit(vp8.ChromaModeProbabilities[1]) == 0:
		return vp8.ModeVertical
	case r.bit(vp8.ChromaModeProbabilities[2]) == 0:
		return vp8.ModeHorizontal
	}
	return vp8.ModeTrueMotion
}

func (m *macroblock) parseSubblocks(r *boolReader, above []vp8.Mode, left *[4]vp8.Mode) {
	for y := range 4 {
		for x := range 4 {
			known := subblockMode(r, &vp8.SubblockModeProbabilities[above[x]][left[y]])
			m.modes[4*y+x], above[x], left[y] = known, known, known
		}
	}
}

func subblockMode(r *boolReader, p *[9]uint8) vp8.Mode {
	switch {
	case r.bit(p[0]) == 0:
		return vp8.ModeDC
	case r.bit(p[1]) == 0:
		return vp8.ModeTrueMotion
	case r.bit(p[2]) == 0:
		return vp8.ModeVertical
	case r.bit(p[3]) == 0:
		if r.bit(p[4]) == 0 {
			return vp8.ModeHorizontal
		}
		return [...]vp8.Mode{vp8.ModeDownRight, vp8.ModeVerticalRight}[r.bit(p[5])]
	case r.bit(p[6]) == 0:
		return vp8.ModeDownLeft
	case r.bit(p[7]) == 0:
		return vp8.ModeVerticalLeft
	}
	return [...]vp8.Mode{vp8.ModeHorizontalDown, vp8.ModeHorizontalUp}[r.bit(p[8])]
}
