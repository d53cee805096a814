package webp

import "tileserver/decode/webp/vp8"

// mode is how a block is predicted from what is around it.
type mode uint8

// The modes: RFC 6386, 11.2. Whole macroblocks and their chroma have the first four.
const (
	modeMean mode = iota
	modeGradient
	modeVertical
	modeHorizontal
	modeDownRight
	modeVerticalRight
	modeDownLeft
	modeVerticalLeft
	modeHorizontalDown
	modeHorizontalUp
)

// macroblock is what the first partition says of 16x16 pixels.
type macroblock struct {
	segment  int
	empty    bool // it has no coefficients
	detailed bool // its subblocks have modes of their own
	luma     mode
	chroma   mode
	modes    [16]mode // of the subblocks
}

// modeContext is the modes of the subblocks along the edges of what is known.
type modeContext struct {
	above []mode // four a macroblock
	left  [4]mode
}

// parseMacroblock is RFC 6386, 10 and 11. column is that of the macroblock.
func (h *frameHeader) parseMacroblock(r *boolReader, context *modeContext, column int) (m macroblock) {
	if h.mapsSegments {
		m.segment = r.bit(h.segmentTree[0])
		m.segment = 2*m.segment + r.bit(h.segmentTree[1+m.segment])
	}
	if h.canSkip {
		m.empty = r.bit(h.skip) == 1
	}
	above := context.above[4*column:][:4]
	if m.detailed = r.bit(145) == 0; m.detailed {
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
		return [...]mode{modeMean, modeVertical}[r.bit(163)]
	}
	return [...]mode{modeHorizontal, modeGradient}[r.bit(128)]
}

func chromaMode(r *boolReader) mode {
	switch {
	case r.bit(142) == 0:
		return modeMean
	case r.bit(114) == 0:
		return modeVertical
	case r.bit(183) == 0:
		return modeHorizontal
	}
	return modeGradient
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
		return modeMean
	case r.bit(p[1]) == 0:
		return modeGradient
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
