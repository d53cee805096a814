package lossless

import (
	"math/bits"

	"tileserver/codec/webp/vp8l"
)

// writePixels writes the main image.
func (e *Encoder) writePixels(p *picture) {
	tokens := e.matcher.tokenize(p)
	greenAlphabet := vp8l.Literals + vp8l.LengthPrefixes
	if !p.isIndexed && e.useCache(tokens, p.pixels) {
		greenAlphabet += 1 << e.cache.bits
		e.out.writeFlag(true)
		e.out.write(uint32(e.cache.bits), 4)
	} else {
		e.out.writeFlag(false)
	}
	e.groups.begin(p.width)
	if p.predicted {
		e.groups.split(e.activity, p.blockBits())
	}
	e.groups.count(tokens)
	e.groups.merge(greenAlphabet)
	e.writeGroups(greenAlphabet)
	e.groups.writeTokens(&e.out, tokens)
}

// useCache makes tokens use the color cache, if that saves bits.
func (e *Encoder) useCache(tokens []token, pixels []pixel) bool {
	e.cache.bits = min(max(bits.Len(uint(len(tokens)))-4, 1), maxCacheBits)
	without, with := &e.groups.of[0].histogram, &e.groups.of[1].histogram // not yet used otherwise
	*without, *with = histogram{}, histogram{}
	if !e.cache.use(tokens, pixels, without, with) {
		return false
	}
	alphabet := vp8l.Literals + vp8l.LengthPrefixes
	if with.bits(alphabet+1<<e.cache.bits) < without.bits(alphabet) {
		return true
	}
	restore(tokens, pixels)
	return false
}

// writeGroups writes the map from blocks to groups, and the codes of all groups.
func (e *Encoder) writeGroups(greenAlphabet int) {
	e.out.writeFlag(e.groups.number > 1)
	if e.groups.number > 1 {
		e.writeBlockBits(e.groups.blockBits)
		e.auxiliary = e.auxiliary[:0]
		for _, number := range e.groups.blockGroups {
			e.auxiliary = append(e.auxiliary, opaque|pixel(number)<<8)
		}
		e.writeAuxiliary()
	}
	for i := range e.groups.number {
		e.groups.of[i].writeCodes(&e.codes, greenAlphabet)
	}
}
