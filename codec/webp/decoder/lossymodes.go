package decoder

import "tileserver/codec/webp/vp8"

// mode is an intra prediction mode.
type mode uint8

// Prediction modes (RFC 6386, section 11.2). Whole macroblocks and chroma use the first four.
const (
	modeDC mode = iota
	modeTrueMotion
	modeVertical
	modeHorizontal
	modeDownRight
	modeVerticalRight
	modeDownLeft
	modeVerticalLeft
	modeHorizontalDown
	modeHorizontalUp
)

// macroblock holds the modes of 16x16 pixels, which the first partition codes.
type macroblock struct {
	segment      int
	empty        bool // no coefficients
	hasSubblocks bool // each subblock has its own mode
	luma         mode
	chroma       mode
	modes        [16]mode // modes of the subblocks
}

// modeContext holds the modes of the subblocks above and to the left of the current macroblock.
type modeContext struct {
	above []mode // four per macroblock
	left  [4]mode
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
	if m.hasSubblocks = r.bit(145) == 0; m.hasSubblocks {
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

func lumaMode(r *boolReader) mode {
	if r.bit(156) == 0 {
		return [...]mode{modeDC, modeVertical}[r.bit(163)]
	}
	return [...]mode{modeHorizontal, modeTrueMotion}[r.bit(128)]
}

func chromaMode(r *boolReader) mode {
	switch {
	case r.bit(142) == 0:
		return modeDC
	case r.bit(114) == 0:
		return modeVertical
	case r.bit(183) == 0:
		return modeHorizontal
	}
	return modeTrueMotion
}

func (m *macroblock) parseSubblocks(r *boolReader, above []mode, left *[4]mode) {
	for y := range 4 {
		for x := range 4 {
			known := subblockMode(r, &vp8.SubblockModeProbabilities[above[x]][left[y]])
			m.modes[4*y+x], above[x], left[y] = known, known, known
		}
	}
}

func subblockMode(r *boolReader, p *[9]uint8) mode {
	switch {
	case r.bit(p[0]) == 0:
		return modeDC
	case r.bit(p[1]) == 0:
		return modeTrueMotion
	case r.bit(p[2]) == 0:
		return modeVertical
	case r.bit(p[3]) == 0:
		if r.bit(p[4]) == 0 {
			return modeHorizontal
		}
		return [...]mode{modeDownRight, modeVerticalRight}[r.bit(p[5])]
	case r.bit(p[6]) == 0:
		return modeDownLeft
	case r.bit(p[7]) == 0:
		return modeVerticalLeft
	}
	return [...]mode{modeHorizontalDown, modeHorizontalUp}[r.bit(p[8])]
}
