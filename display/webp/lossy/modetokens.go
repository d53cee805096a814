package lossy

import (
	"encoding/binary"
	"slices"
)

// mostModeTokens is what the modes of a macroblock can take: two bits, sixteen subblocks of seven bits, and three bits of
// chroma; the last are written in eights.
const mostModeTokens = 2 + 16*7 + 3 + 8

// addModes adds what the first partition says of a macroblock: RFC 6386, 11. It is on the left and above the next ones.
func (e *Encoder) addModes(column int, m *macroblock) {
	above, left := (*[4]mode)(e.modes.above[4*column:]), &e.modes.left
	list := slices.Grow(e.modeTokens, mostModeTokens*tokenBytes)
	n := len(list)
	list = list[:cap(list)]
	n += putToken(list[n:], emptyPlace, m.empty)
	if m.detailed {
		n += putToken(list[n:], constant+token(wholeProbabilities[0]), false)
		for i, known := range m.modes {
			n += subblockPaths[above[i&3]][left[i>>2]][known].put(list[n:])
			above[i&3], left[i>>2] = known, known
		}
	} else {
		n += wholePaths[m.luma].put(list[n:])
		*above, *left = [4]mode{m.luma, m.luma, m.luma, m.luma}, [4]mode{m.luma, m.luma, m.luma, m.luma}
	}
	n += chromaPaths[m.chroma].put(list[n:])
	e.modeTokens = list[:n]
}

// putToken writes a token, and returns how many bytes it takes.
func putToken(to []byte, place token, bit bool) int {
	k := uint16(place) << 1
	if bit {
		k |= 1
	}
	binary.LittleEndian.PutUint16(to, k)
	return tokenBytes
}

// put writes the tokens for a mode, and returns how many bytes they take.
func (p *path) put(to []byte) int {
	to = to[:16]
	binary.LittleEndian.PutUint64(to, p.tokens[0])
	binary.LittleEndian.PutUint64(to[8:], p.tokens[1])
	return int(p.count) * tokenBytes
}
