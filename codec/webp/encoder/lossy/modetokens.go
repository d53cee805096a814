package lossy

import (
	"encoding/binary"
	"slices"

	"tileserver/codec/webp/vp8"
)

// maxModeTokens bounds the tokens for the modes of a macroblock: two bits, 16 subblocks of seven
// bits, and three chroma bits. Paths are written in units of eight tokens.
const maxModeTokens = 2 + 16*7 + 3 + 8

// addModes adds the tokens for the modes of a macroblock (RFC 6386, section 11), and updates the
// context of the next macroblocks.
func (e *Encoder) addModes(column int, m *macroblock) {
	above, left := (*[4]vp8.Mode)(e.modes.above[4*column:]), &e.modes.left
	list := slices.Grow(e.modeTokens, maxModeTokens*tokenBytes)
	n := len(list)
	list = list[:cap(list)]
	n += putToken(list[n:], emptyIndex, m.empty)
	if m.hasSubblocks {
		n += putToken(list[n:], constant+token(vp8.LumaModeProbabilities[0]), false)
		for i, known := range m.modes {
			n += subblockPaths[above[i&3]][left[i>>2]][known].put(list[n:])
			above[i&3], left[i>>2] = known, known
		}
	} else {
		n += wholePaths[m.luma].put(list[n:])
		*above, *left = [4]vp8.Mode{m.luma, m.luma, m.luma, m.luma}, [4]vp8.Mode{m.luma, m.luma, m.luma, m.luma}
	}
	n += chromaPaths[m.chroma].put(list[n:])
	e.modeTokens = list[:n]
}

// putToken writes a token, and returns its number of bytes.
func putToken(to []byte, position token, bit bool) int {
	k := uint16(position) << 1
	if bit {
		k |= 1
	}
	binary.LittleEndian.PutUint16(to, k)
	return tokenBytes
}

// put writes the tokens of a path, and returns their number of bytes.
func (p *path) put(to []byte) int {
	to = to[:16]
	binary.LittleEndian.PutUint64(to, p.tokens[0])
	binary.LittleEndian.PutUint64(to[8:], p.tokens[1])
	return int(p.count) * tokenBytes
}
